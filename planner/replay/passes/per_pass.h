// Values that are valid for one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rv::planner {

/// begin_pass() resets all values in constant time, because most of them are never read.
template <typename Value>
class PerPass {
 public:
  explicit PerPass(std::size_t count, const Value& fresh = Value()) : fresh_(fresh), slots_(count, Slot{0, fresh}) {}

  void begin_pass() { ++pass_; }

  Value& operator[](std::size_t number) {
    Slot& slot = slots_[number];
    if (slot.pass != pass_) slot = {pass_, fresh_};
    return slot.value;
  }
  Value of(std::size_t number) const {
    const Slot& slot = slots_[number];
    return slot.pass == pass_ ? slot.value : fresh_;
  }

 private:
  struct Slot {
    std::uint32_t pass = 0;
    Value value;
  };

  std::uint32_t pass_ = 1;
  Value fresh_;
  std::vector<Slot> slots_;
};

}  // namespace rv::planner
