#include "workers/compute/memory_test.h"

#include <fmt/format.h>

namespace rv::workers {
namespace {

class Test {
 public:
  explicit Test(MemoryUnderTest& memory) : memory_(memory) {}

  void write_and_verify(const char* name, MemoryPattern pattern, std::uint64_t parameter) {
    memory_.write(pattern, parameter, false);
    verify(name, pattern, parameter, false, false);
  }

  void moving_inversions(const char* name, MemoryPattern pattern, std::uint64_t parameter) {
    memory_.write(pattern, parameter, false);
    verify(name, pattern, parameter, false, true);
    verify(name, pattern, parameter, true, true);
    verify(name, pattern, parameter, false, false);
  }

  MemoryVerdict verdict() const { return verdict_; }

 private:
  void verify(const char* name, MemoryPattern pattern, std::uint64_t parameter, bool inverted, bool invert_after) {
    const auto bad = memory_.verify(pattern, parameter, inverted, invert_after);
    ++verdict_.passes;
    verdict_.count += bad.count;
    if (bad.count == 0 || !verdict_.wrong.empty()) return;
    verdict_.wrong = fmt::format("{} words are bad in pattern {}", bad.count, name);
    for (const auto& word : bad.first) {
      verdict_.wrong +=
          fmt::format("; address {:#x} (word {}): expected {:#018x}, got {:#018x}",
                      memory_.address() + word.index * sizeof(std::uint64_t), word.index, word.expected, word.got);
    }
  }

  MemoryUnderTest& memory_;
  MemoryVerdict verdict_;
};

}  // namespace

MemoryVerdict test_memory(MemoryUnderTest& memory, bool quick) {
  Test test(memory);
  test.write_and_verify("address", MemoryPattern::address, 0);
  test.write_and_verify("random", MemoryPattern::random, 1);
  for (std::uint64_t bit = 0; bit < 64; bit += quick ? 8 : 1) {
    test.write_and_verify("walking one", MemoryPattern::walking_one, bit);
  }
  test.moving_inversions("moving inversions of 0x55", MemoryPattern::constant, 0x5555555555555555U);
  test.moving_inversions("moving inversions of 0x00", MemoryPattern::constant, 0);
  test.moving_inversions("moving inversions of random bits", MemoryPattern::random, 2);
  return test.verdict();
}

}  // namespace rv::workers
