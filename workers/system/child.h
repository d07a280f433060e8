#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rv::workers {

/// What a child process is, and what it begins with.
struct ChildOrder {
  /// The program and its words. Without them `work` is all that the child does.
  std::vector<std::string> argv = {};
  /// Where the program is, if not at argv[0]; looked up in PATH where it has no slash.
  std::string program = {};
  /// Environment variables that differ from this process's.
  std::vector<std::pair<std::string, std::string>> variables = {};
  /// Its standard streams, which stay the caller's; -1: this process's.
  int in = -1, out = -1, err = -1;
  /// A terminal's Ctrl-C, and its end, don't reach it.
  bool own_session = false;
  /// SIGKILL as soon as the thread that starts it has ended, whatever ended that.
  bool dies_with_starter = false;
  /// A program that can't be executed: stderr says why, and the exit code is a shell's, 126 for one that is there.
  bool tells_why = false;
  std::vector<int> default_signals = {}, ignored_signals = {};
  /// What it returns is the exit code; an exception makes it 1. Buffered stdio is written before and after.
  std::function<int()> work = {};
};

/// Forks: the one place of the workers that does. Returns the child's PID, or -1 with errno where the machine has no
/// room for one more. The child ends with 127 where its program can't be executed. With `work` or `tells_why` the child
/// does more than a process of several threads may do in its child.
pid_t start_child(const ChildOrder& order);

/// Waits for its end. Returns its wait status; nothing where it is no child of this process, or was waited for already.
std::optional<int> wait_for(pid_t child);

}  // namespace rv::workers
