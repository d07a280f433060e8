#include "workers/compute/memory_test.h"

#include <doctest/doctest.h>

#include <optional>

using namespace rv;
using namespace rv::workers;

namespace {

/// Memory in which one bit of one word is stuck, or two addresses are one.
class BadMemoryUnderTest : public MemoryUnderTest {
 public:
  std::optional<std::uint64_t> stuck_word, alias;
  std::uint64_t stuck_high = 0, stuck_low = 0;

  std::uint64_t words() const override { return data_.size(); }
  std::uint64_t address() const override { return 0x1000; }
  void write(MemoryPattern pattern, std::uint64_t parameter, bool inverted) override {
    for (std::uint64_t i = 0; i < words(); ++i) {
      const auto word = pattern_word(pattern, parameter, i);
      store(i, inverted ? ~word : word);
    }
  }
  BadMemory verify(MemoryPattern pattern, std::uint64_t parameter, bool inverted, bool invert_after) override {
    BadMemory bad;
    for (std::uint64_t i = 0; i < words(); ++i) {
      auto expected = pattern_word(pattern, parameter, i);
      if (inverted) expected = ~expected;
      const auto got = load(i);
      if (got != expected) {
        ++bad.count;
        bad.first.push_back({i, expected, got});
      }
      if (invert_after) store(i, ~expected);
    }
    return bad;
  }

 private:
  std::uint64_t place(std::uint64_t i) const { return alias && i == *alias ? i - 1 : i; }
  void store(std::uint64_t i, std::uint64_t word) { data_[place(i)] = word; }
  std::uint64_t load(std::uint64_t i) const {
    const auto word = data_[place(i)];
    return stuck_word == i ? (word | stuck_high) & ~stuck_low : word;
  }
  std::vector<std::uint64_t> data_ = std::vector<std::uint64_t>(256);
};

}  // namespace

TEST_CASE("good memory passes every pattern") {
  const auto memory = cpu_memory(1 << 16);
  const auto verdict = test_memory(*memory, false);
  CHECK(verdict.wrong == "");
  CHECK(verdict.count == 0);
  CHECK(verdict.passes == 2 + 64 + 9);
}

TEST_CASE("a stuck bit is found at its address, whichever way it is stuck") {
  for (int bit = 0; bit < 64; bit += 7) {
    for (const bool high : {true, false}) {
      BadMemoryUnderTest memory;
      memory.stuck_word = 200;
      (high ? memory.stuck_high : memory.stuck_low) = std::uint64_t{1} << bit;
      const auto verdict = test_memory(memory, true);
      CHECK(verdict.count > 0);
      CHECK(verdict.wrong.find("address 0x1640 (word 200): expected 0x") != std::string::npos);
    }
  }
}

TEST_CASE("two addresses that are one are found by the address pattern") {
  BadMemoryUnderTest memory;
  memory.alias = 100;
  const auto verdict = test_memory(memory, true);
  CHECK(verdict.wrong ==
        "1 words are bad in pattern address; address 0x1318 (word 99): expected 0x0000000000000063, got "
        "0x0000000000000064");
}
