// Runs a command on this machine and reads its output while it runs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::os {

struct StreamedCommand {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH; no shell is involved
  std::vector<std::string> environment;  // "NAME=value", the whole environment
  std::string folder;                    // working folder; empty: the caller's
  int input = -1;                        // its stdin
  bool ends_with_caller = false;         // it gets SIGTERM whenever this process ends, and has its own process group
  std::function<void(std::string_view bytes)> out;
  std::function<void(std::string_view bytes)> err;
};

/// Runs the command and waits for its end. Without `ends_with_caller` it stays in this process's group, so that Ctrl-C
/// reaches it. Returns the exit code, 128 + N for signal N, 127 if it can't be started. Throws Error only if the system
/// can't create pipes or a process.
int run_streamed(const StreamedCommand& command);

}  // namespace rv::os
