// A run that holds GPUs, for commands inside it.
#pragma once

#include <string>
#include <vector>

#include "cli/inside/inside_options.h"
#include "cli/settings/settings.h"
#include "monitor/run/listed_runs.h"
#include "monitor/run/run_folder.h"

namespace rv::cli {

struct HostRun {
  monitor::RunRecord record;
  monitor::Candidate winner;  // the allocation that it holds
  slurm::JobKey job;
  int gpus_per_node = 0;
  int cpus_per_node = 1;
  int gpus_in_use = 0;               // by other commands of rv run --in
  std::vector<std::string> used_by;  // their IDs
};

/// Finds the run that --in names, and what its other commands use. Throws Error(no_such_run) if it holds nothing,
/// Error(usage) if its own command uses its GPUs and --overlap is not given, and Error(slurm) without an answer.
HostRun find_host(const InsideOptions& inside, const Settings& settings);

/// The part of the host that a command gets.
struct Share {
  int gpus = 0;
  int cpus = 1;
};

/// The number of GPUs is `gpus`, or all that no other command uses. The number of CPUs is `cpus`, or one with --exact,
/// or the GPUs' share. Throws Error(usage) for more than a node of the run has, and if no GPU is left.
Share share_of(const HostRun& host, const InsideOptions& inside, std::optional<int> gpus, std::optional<int> cpus);

}  // namespace rv::cli
