// Starting a child process: the one place that forks.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/os/descriptor.h"

namespace rv::os {

enum class Group {
  callers,      // Ctrl-C at the terminal reaches it as well
  own,          // can be ended with all that it starts
  own_session,  // a terminal that is closed does not reach it
};

/// What a child is and starts with.
struct ChildOrder {
  std::vector<std::string> argv = {};                        // argv[0] is looked up in PATH; no shell is involved
  std::optional<std::vector<std::string>> environment = {};  // "NAME=value", all of it; nothing: this process's
  std::string folder = {};                                   // working folder; empty: this process's
  // Its standard streams, which stay the caller's; -1: this process's. All else that it is to inherit must say so.
  int in = -1;
  int out = -1;
  int err = -1;
  Group group = Group::callers;
  std::vector<int> default_signals = {};  // get their default action, also where the caller ignores them
  std::vector<int> ignored_signals = {};  // after those; handed on to the program
  std::optional<sigset_t> blocked = {};   // its signal mask; nothing: this thread's
  std::function<void()> first_work = {};  // in the child before the program; without argv it is all that is done
};

/// Why a program did not start: errno, of entering its folder or of executing it.
struct StartFault {
  int reason = 0;
  bool in_folder = false;
};

/// A process that has been started. It goes on when this ends: whoever started it waits for it.
class Child {
 public:
  /// Returns at once; a program that can't be started ends with 127. Throws Error when there are no processes or
  /// descriptors left.
  explicit Child(const ChildOrder& order);

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

/// Of a wait status: the exit code, 128 + N for a signal.
int exit_code(int status);

/// In a child whose work executes nothing, which would have closed them.
void close_from(int first);

/// For a stream that nobody reads or writes.
Descriptor null_device();

}  // namespace rv::os
