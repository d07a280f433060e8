// Runs a command on this machine with rv's own stdin, stdout and stderr.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace rv::os {

struct LocalCommandEnd {
  int exit_code = 0;  // the command's own, or 128 + the signal that ended it
  bool timed_out = false;
};

/// Runs argv in the current folder and waits. `environment` ("NAME=value"), if given, replaces this process's own.
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach only rv are passed on; if rv is killed, the command gets SIGTERM.
/// At the time-out all descendants of the command get SIGTERM, and SIGKILL after `grace`, including those that left its
/// process group or session. Throws Error with code 127 (no such program) or 126 (it can't be executed).
/// `ends_with_terminal`: SIGHUP ends the command as a time-out does; the exit code is then 129. May be called only once
/// in a process, because the process becomes a subreaper for orphans of the command.
LocalCommandEnd run_local(const std::vector<std::string>& argv, std::optional<std::chrono::milliseconds> timeout,
                          std::chrono::milliseconds grace,
                          const std::optional<std::vector<std::string>>& environment = std::nullopt,
                          bool ends_with_terminal = false);

}  // namespace rv::os
