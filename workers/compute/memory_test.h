#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workers/devices/random_input.h"

namespace rv::workers {

/// The pattern of the memory words during a test.
enum class MemoryPattern { address, random, walking_one, constant };

/// Word `index` of a pattern. `address`: the index. `random`: random bits from the seed `parameter`. `walking_one`: a
/// single 1 at bit (index + parameter) mod 64, so that neighbouring words differ. `constant`: the parameter.
constexpr std::uint64_t pattern_word(MemoryPattern pattern, std::uint64_t parameter, std::uint64_t index) {
  switch (pattern) {
    case MemoryPattern::address:
      return index;
    case MemoryPattern::random:
      return scramble(scramble(parameter + 9) ^ index);
    case MemoryPattern::walking_one:
      return std::uint64_t{1} << ((index + parameter) % 64);
    case MemoryPattern::constant:
      return parameter;
  }
  return 0;
}

struct BadWord {
  std::uint64_t index = 0, expected = 0, got = 0;
};

struct BadMemory {
  std::uint64_t count = 0;     ///< words that came back different
  std::vector<BadWord> first;  ///< at most eight of them
};

/// An allocation in one device's memory. Errors are exceptions.
class MemoryUnderTest {
 public:
  virtual ~MemoryUnderTest() = default;
  virtual std::uint64_t words() const = 0;    ///< of 8 bytes each
  virtual std::uint64_t address() const = 0;  ///< of the first word
  /// Writes the pattern to all words, inverted if `inverted`.
  virtual void write(MemoryPattern pattern, std::uint64_t parameter, bool inverted) = 0;
  /// Compares every word with the pattern (inverted if `inverted`). With `invert_after` it then writes the inverse of
  /// the expected word.
  virtual BadMemory verify(MemoryPattern pattern, std::uint64_t parameter, bool inverted, bool invert_after) = 0;
};

/// The result of all patterns: the word's own address, random bits, walking ones (each of the 64 bits; with `quick`
/// every eighth), and moving inversions of 0x55…, 0x00… and random bits (write, verify and invert, verify and invert
/// back, verify).
struct MemoryVerdict {
  std::uint64_t count = 0;
  /// empty if nothing is wrong; else pattern, address, expected and found value of the first bad word
  std::string wrong;
  int passes = 0;  ///< how many times all of the memory was read and compared
};
MemoryVerdict test_memory(MemoryUnderTest& memory, bool quick);

std::unique_ptr<MemoryUnderTest> cpu_memory(std::size_t bytes);
/// Allocates nearly all free memory of the current CUDA device: 512 MiB stay free. At most `most` bytes; 0: no limit.
std::unique_ptr<MemoryUnderTest> cuda_memory(std::size_t most);

}  // namespace rv::workers
