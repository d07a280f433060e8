// A pipe, and a guard against SIGPIPE for writes to a pipe whose reader is gone.
#pragma once

#include <array>
#include <csignal>

#include "shared/system/descriptor.h"

namespace rv::os {

/// Both descriptors are above 2, closed on exec and closed by the destructor. Throws Error if there are no descriptors.
class Pipe {
 public:
  Pipe();

  /// Returns the descriptor of the read end (0) or the write end (1); -1 once closed.
  int end(std::size_t which) const { return ends_[which].number(); }
  void close_end(std::size_t which) { ends_[which].close(); }
  Descriptor take_end(std::size_t which) { return std::move(ends_[which]); }

 private:
  std::array<Descriptor, 2> ends_;
};

/// Blocks SIGPIPE for this thread while the object exists, and discards one that is pending at the end. SIGPIPE is not
/// ignored instead, because that would affect all threads.
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
