// Starts a child process.
#pragma once

#include <sys/types.h>

#include <optional>

#include "shared/system/descriptor.h"
#include "shared/system/start_child.h"

namespace rv::os {

/// A process that has been started. The destructor does not end the process; the caller must wait().
class Child {
 public:
  /// Returns at once; if the program can't be started, the child exits with 127. Throws Error if the system has no
  /// process or descriptor left. Sets the order's `fault_pipe` itself.
  explicit Child(ChildOrder order);

  pid_t pid() const { return pid_; }
  /// Why the program could not start, as far as is known now. Never waits: a file system that hangs also delays exec.
  std::optional<StartFault> start_fault() const;
  /// Waits until the program runs. Returns nothing then; otherwise why it can't start, after waiting for the child.
  std::optional<StartFault> wait_for_start() const;
  /// Waits for the end of the process and returns its exit code, as exit_code() does.
  int wait() const;

 private:
  pid_t pid_ = -1;
  Descriptor start_fault_pipe_;  // receives a StartFault, or is closed when the program runs
};

/// Closes all descriptors from `first` up, in a child that does not call exec, which would close them.
void close_from(int first);

/// Opens /dev/null, for a stream that is not used.
Descriptor null_device();

}  // namespace rv::os
