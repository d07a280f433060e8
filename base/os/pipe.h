// A pipe, and quiet writing into one whose reader is gone.
#pragma once

#include <csignal>

namespace rv::os {

/// Both ends are closed on exec, above 2, and closed at the end of life. Throws Error when there are no descriptors.
class Pipe {
 public:
  Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();

  /// 0 reads, 1 writes; -1 once closed.
  int end(int which) const { return ends_[which]; }
  void close_end(int which);

 private:
  [[noreturn]] void fail();

  int ends_[2] = {-1, -1};
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
