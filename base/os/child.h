// A child process that is started, or an Error says why not.
#pragma once

#include <sys/types.h>

#include <optional>

#include "shared/system/descriptor.h"
#include "shared/system/start_child.h"

namespace rv::os {

/// A process that has been started. It goes on when this ends: whoever started it waits for it.
class Child {
 public:
  /// Returns at once; a program that can't be started ends with 127. Throws Error when there are no processes or
  /// descriptors left. The order's `fault_pipe` is this object's.
  explicit Child(ChildOrder order);

  pid_t pid() const { return pid_; }
  /// As far as it is known by now; never waits, because a file system that hangs holds up the start of a program, too.
  std::optional<StartFault> start_fault() const;
  /// Waits until the program runs. Why it can't: the process has been waited for then.
  std::optional<StartFault> wait_for_start() const;
  /// Waits for its end. Returns as exit_code() does.
  int wait() const;

 private:
  pid_t pid_ = -1;
  Descriptor trouble_;  // gets a StartFault, or closes when the program runs
};

/// In a child whose work executes nothing, which would have closed them.
void close_from(int first);

/// For a stream that nobody reads or writes.
Descriptor null_device();

}  // namespace rv::os
