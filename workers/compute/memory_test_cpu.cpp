#include "workers/compute/memory_test.h"

namespace rv::workers {
namespace {

class CpuMemory : public MemoryUnderTest {
 public:
  explicit CpuMemory(std::size_t bytes) : data_(bytes / sizeof(std::uint64_t)) {}

  std::uint64_t words() const override { return data_.size(); }
  std::uint64_t address() const override { return reinterpret_cast<std::uintptr_t>(data_.data()); }

  void write(MemoryPattern pattern, std::uint64_t parameter, bool inverted) override {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const auto word = pattern_word(pattern, parameter, i);
      data_[i] = inverted ? ~word : word;
    }
  }

  BadMemory verify(MemoryPattern pattern, std::uint64_t parameter, bool inverted, bool invert_after) override {
    BadMemory bad;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      auto expected = pattern_word(pattern, parameter, i);
      if (inverted) expected = ~expected;
      if (data_[i] != expected) {
        if (bad.first.size() < 8) bad.first.push_back({i, expected, data_[i]});
        ++bad.count;
      }
      if (invert_after) data_[i] = ~expected;
    }
    return bad;
  }

 private:
  std::vector<std::uint64_t> data_;
};

}  // namespace

std::unique_ptr<MemoryUnderTest> cpu_memory(std::size_t bytes) {
  return std::make_unique<CpuMemory>(bytes);
}

}  // namespace rv::workers
