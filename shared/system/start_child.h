// Starting a child process: the one place that forks, for rv and for its workers.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rv::os {

enum class Group {
  callers,      // Ctrl-C at the terminal reaches it as well
  own,          // can be ended with all that it starts
  own_session,  // a terminal that is closed does not reach it
};

/// What a child is and starts with.
struct ChildOrder {
  /// No shell is involved. Without a program, `work` is all that the child does.
  std::vector<std::string> argv = {};
  /// The program where that is not argv[0]; looked up in PATH where it has no slash.
  std::string program = {};
  std::optional<std::vector<std::string>> environment = {};         // "NAME=value", all of it; nothing: this process's
  std::vector<std::pair<std::string, std::string>> variables = {};  // in place of that environment's
  std::string folder = {};                                          // working folder; empty: this process's
  // Its standard streams, which stay the caller's; -1: this process's. All else that it is to inherit must say so.
  int in = -1;
  int out = -1;
  int err = -1;
  Group group = Group::callers;
  int death_signal = 0;                   // sent when the thread that starts it ends, whatever ended that; 0: none
  bool prints_fault = false;              // on stderr; the exit code is a shell's then, 126 for a program that is there
  int fault_pipe = -1;                    // gets a StartFault
  std::vector<int> default_signals = {};  // get their default action, also where the caller ignores them
  std::vector<int> ignored_signals = {};  // after those; handed on to the program
  std::optional<sigset_t> blocked = {};   // its signal mask; nothing: this thread's
  /// In the child before all else; an exception ends it with 1.
  std::function<void()> first_work = {};
  /// What it returns is the exit code; an exception makes it 1. Buffered stdio is written before and after.
  std::function<int()> work = {};
};

/// Why a program did not start: errno, of entering its folder or of executing it.
struct StartFault {
  int reason = 0;
  bool in_folder = false;
};

/// Returns the child's PID, or -1 with errno where the machine has no room for one more. The child ends with 127 where
/// its program can't be executed. With `work`, `first_work` or `prints_fault` the child does more than a process of
/// several threads may do in its child.
pid_t start_child(const ChildOrder& order);

/// Waits for its end. Returns its wait status; nothing if it is not a child of this process, or was waited for already.
std::optional<int> wait_for(pid_t child);

/// Of a wait status: the exit code, 128 + N for a signal.
int exit_code(int status);

}  // namespace rv::os
