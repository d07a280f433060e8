// A command on this node that has rv's own streams: nothing is captured.
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

/// Runs argv in this folder and waits. `environment` ("NAME=value") replaces this process's own when it is given.
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach rv alone are passed on; where rv is killed, the command gets SIGTERM.
/// At the time-out every process that descends from the command gets SIGTERM, and SIGKILL after `grace`, those too that
/// left its process group or session. Throws Error with code 127 (no such program) or 126 (it can't be executed).
/// `ends_with_terminal`: the same when the terminal goes (SIGHUP); the exit code is 129 then. May be called once in a
/// process: it adopts orphans of the command.
LocalCommandEnd run_local(const std::vector<std::string>& argv, std::optional<std::chrono::milliseconds> timeout,
                          std::chrono::milliseconds grace,
                          const std::optional<std::vector<std::string>>& environment = std::nullopt,
                          bool ends_with_terminal = false);

}  // namespace rv::os
