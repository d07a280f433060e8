#pragma once

#include <set>
#include <string>
#include <vector>

#include "workers/report/report.h"
#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// Some of the GPUs, for one run of the user's own launcher.
struct LaunchConfiguration {
  std::string name;       ///< single, all, cpu, subset-0,2
  std::vector<int> gpus;  ///< their places among those given
};

/// One GPU, all, none, and each subset asked for; without one, every second GPU where there are three or more. What
/// would be the same a second time is left out. Throws std::invalid_argument for a place that no GPU has.
std::vector<LaunchConfiguration> launch_configurations(std::size_t gpus, const std::vector<std::string>& subsets);

struct LaunchOrder {
  std::vector<std::string> argv;
  std::string folder;              ///< gets launch-NAME.log with what it says
  double seconds = 300;            ///< after these it is ended
  bool says_progress = false;      ///< on stderr
  bool driver_knows_pids = false;  ///< as the workers showed: a process that isn't listed is on no GPU
};

/// Runs the launcher once in each configuration, one after the other: a measurement each. Its parameters are the exit
/// code, the GPUs given and used (null: the driver doesn't tell), and the log.
std::vector<Measurement> check_launches(const LaunchOrder& order,
                                        const std::vector<LaunchConfiguration>& configurations, Nvml* nvml,
                                        const std::vector<GivenGpu>& gpus, bool (*interrupted)());

}  // namespace rv::workers
