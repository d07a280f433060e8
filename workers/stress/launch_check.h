#pragma once

#include <set>
#include <string>
#include <vector>

#include "workers/report/report.h"
#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// A selection of GPUs for one run of the user's launcher.
struct LaunchConfiguration {
  std::string name;       ///< single, all, cpu, subset-0,2
  std::vector<int> gpus;  ///< indices into the given GPUs
};

/// One GPU, all, none, and each subset of `subsets`; without subsets, every second GPU if there are three or more.
/// Duplicates are left out. Throws std::invalid_argument for an index without a GPU.
std::vector<LaunchConfiguration> launch_configurations(std::size_t gpus, const std::vector<std::string>& subsets);

struct LaunchOrder {
  std::vector<std::string> argv;
  std::string folder;          ///< folder for launch-NAME.log, the output
  double seconds = 300;        ///< time limit of one run
  bool says_progress = false;  ///< print progress on stderr
  /// known from the workers; if true, a process that the driver does not list uses no GPU
  bool driver_lists_pids = false;
};

/// Runs the launcher once in each configuration, one after the other, and returns one measurement each. Its parameters
/// are the exit code, the given and the used GPUs (null: not reported by the driver), and the log.
std::vector<Measurement> check_launches(const LaunchOrder& order,
                                        const std::vector<LaunchConfiguration>& configurations, Nvml* nvml,
                                        const std::vector<GivenGpu>& gpus, bool (*interrupted)());

}  // namespace rv::workers
