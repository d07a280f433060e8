// A pipe, and quiet writing into one whose reader is gone.
#pragma once

#include <array>
#include <csignal>

#include "shared/system/descriptor.h"

namespace rv::os {

/// Both ends are closed on exec, above 2, and closed at the end of life. Throws Error when there are no descriptors.
class Pipe {
 public:
  Pipe();

  /// 0 reads, 1 writes; -1 once closed.
  int end(std::size_t which) const { return ends_[which].number(); }
  void close_end(std::size_t which) { ends_[which].close(); }
  Descriptor take_end(std::size_t which) { return std::move(ends_[which]); }

 private:
  std::array<Descriptor, 2> ends_;
};

/// While it lives, SIGPIPE does not reach this thread. Blocked and taken off again rather than ignored, because a
/// disposition would be every thread's.
class HoldPipeSignal {
 public:
  HoldPipeSignal();
  HoldPipeSignal(const HoldPipeSignal&) = delete;
  HoldPipeSignal& operator=(const HoldPipeSignal&) = delete;
  ~HoldPipeSignal();

 private:
  sigset_t pipe_ = {};
  sigset_t before_ = {};
  bool was_pending_ = false;
};

}  // namespace rv::os
