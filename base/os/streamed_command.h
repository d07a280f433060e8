// A command of this machine whose output is read while it runs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::os {

struct StreamedCommand {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH; no shell is involved
  std::vector<std::string> environment;  // "NAME=value", all of it
  std::string folder;                    // working folder; empty: the caller's
  int input = -1;                        // its stdin
  bool ends_with_caller = false;         // it gets SIGTERM when this process ends, however, and has a group of its own
  std::function<void(std::string_view bytes)> out;
  std::function<void(std::string_view bytes)> err;
};

/// Waits for its end. Unless it ends with the caller, it stays in this process's group, so that Ctrl-C reaches it.
/// Returns the exit code, 128 + N for a signal, 127 when it can't be started. Throws Error only when the system refuses
/// pipes or a process.
int run_streamed(const StreamedCommand& command);

}  // namespace rv::os
