#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// One run of the user's program.
struct LauncherOrder {
  std::vector<std::string> argv;
  std::string visible;  ///< CUDA_VISIBLE_DEVICES
  std::string log;      ///< file for stdout and stderr
  double seconds = 300;
  bool driver_lists_pids = false;  ///< the driver is known to list processes by their PIDs in this namespace
};

struct LauncherEnd {
  int exit_code = 0;  ///< 128 + N for signal N
  bool timed_out = false, interrupted = false;
  double seconds = 0;
  /// The GPUs and slices on which the driver listed one of its processes; nothing: not reported.
  std::optional<std::set<std::string>> used;
  std::vector<std::string> left;  ///< processes that were still running after it ended; they have been ended
};

/// Runs the program in its own session until it ends, and ends the processes that it leaves. Throws std::runtime_error.
LauncherEnd run_launcher(const LauncherOrder& order, Nvml* nvml, bool (*interrupted)());

/// Why a launcher can't be started.
struct LauncherTrouble {
  int exit_code = 0;        ///< 127: not found; 126: not executable; 0: unknown
  std::string program;      ///< the program that was checked: the first argument, or the first word of the shell line
  std::string interpreter;  ///< the missing interpreter in its first line; empty: that is not the reason
};

/// Checks the first argument. In a shell line (bash -c) it checks a first word that is a path; any other first word
/// only if the line is one plain command, and then bash decides whether it is a command.
LauncherTrouble launcher_trouble(const std::vector<std::string>& argv);

}  // namespace rv::workers
