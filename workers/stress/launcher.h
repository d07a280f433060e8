#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// One run of somebody's own program that uses GPUs.
struct LauncherOrder {
  std::vector<std::string> argv;
  std::string visible;  ///< CUDA_VISIBLE_DEVICES
  std::string log;      ///< gets stdout and stderr
  double seconds = 300;
  bool pids_are_told = false;  ///< the driver is known to list processes by the PIDs that they have here
};

struct LauncherEnd {
  int exit_code = 0;  ///< 128 + N for signal N
  bool timed_out = false, interrupted = false;
  double seconds = 0;
  /// The GPUs and slices on which the driver listed one of its processes; nothing: it doesn't tell.
  std::optional<std::set<std::string>> used;
  std::vector<std::string> left;  ///< processes that outlived it, and were ended
};

/// Runs it in a session of its own to its end, and ends what it leaves. Throws std::runtime_error.
LauncherEnd run_launcher(const LauncherOrder& order, Nvml* nvml, bool (*interrupted)());

/// Why a launcher can't be run.
struct LauncherTrouble {
  int exit_code = 0;        ///< 127: it isn't there; 126: it can't be executed; 0: neither is known
  std::string program;      ///< what was looked at: the first word, or that of the shell line
  std::string interpreter;  ///< its first line names this one, which isn't there; empty: it was not that
};

/// Of a shell line (bash -c) a first word that is a path is looked at, and any other where the line is one plain
/// command; bash is asked whether it knows the word itself.
LauncherTrouble launcher_trouble(const std::vector<std::string>& argv);

}  // namespace rv::workers
