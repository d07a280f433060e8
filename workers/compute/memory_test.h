#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workers/devices/random_input.h"

namespace rv::workers {

/// What a word of memory holds during a test.
enum class MemoryPattern { address, random, walking_one, constant };

/// Word `index` of a pattern: its own index; random bits; a one that walks through the word, at bit (index + parameter)
/// mod 64, so that neighbouring words differ; the parameter itself.
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
  std::vector<BadWord> first;  ///< some of them, at most eight
};

/// A piece of one device's memory. Errors are exceptions.
class MemoryUnderTest {
 public:
  virtual ~MemoryUnderTest() = default;
  virtual std::uint64_t words() const = 0;    ///< of eight bytes
  virtual std::uint64_t address() const = 0;  ///< of the first
  /// Writes the pattern, each word inverted if asked.
  virtual void write(MemoryPattern pattern, std::uint64_t parameter, bool inverted) = 0;
  /// Reads every word and compares; then, if asked, writes the other one of word and inverted word in its place.
  virtual BadMemory verify(MemoryPattern pattern, std::uint64_t parameter, bool inverted, bool invert_after) = 0;
};

/// All patterns in turn: address in address, random, walking ones (every bit, quick every eighth), moving inversions
/// of 0x55…, 0x00… and random bits (write, verify and invert, verify and invert back, verify).
struct MemoryVerdict {
  std::uint64_t count = 0;
  std::string wrong;  ///< empty when all is right; else the first word by pattern, address, expected, got
  int passes = 0;     ///< times that all of the memory was read and compared
};
MemoryVerdict test_memory(MemoryUnderTest& memory, bool quick);

std::unique_ptr<MemoryUnderTest> cpu_memory(std::size_t bytes);
/// As much of the current CUDA device's free memory as can be had, but for a reserve of 512 MiB; `most` bytes at most,
/// 0 for no limit.
std::unique_ptr<MemoryUnderTest> cuda_memory(std::size_t most);

}  // namespace rv::workers
