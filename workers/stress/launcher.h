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

/// 0, or 127 and 126 where the launcher isn't there or can't be executed, as a shell has it. Of a shell line (bash -c)
/// its first word is looked at, where that is plain.
int launcher_trouble(const std::vector<std::string>& argv);

/// The program that is looked at: the first word, or that of the shell line.
std::string launcher_program(const std::vector<std::string>& argv);

}  // namespace rv::workers
