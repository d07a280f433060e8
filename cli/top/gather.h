// Combines data from Slurm and the run folders into what rv top shows. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/top_state.h"
#include "monitor/jobs/run_view.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/strategy.h"
#include "slurm/accounting/job_use.h"

namespace rv::cli::top {

Run run_of(const monitor::RunRecord& record, const monitor::RunView& view, TimePoint now);

/// Jobs that rv did not submit, the newest `most` first.
std::vector<Run> jobs_beside(const std::vector<slurm::JobUse>& jobs, std::size_t most);

/// Types by name, with GPUs of the asking user. Their waits are not known yet.
std::vector<GpuType> types_of(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue);

/// Writes the shortest of the plan's expected waits (medians) into each type, for the size with that index.
void add_waits(std::vector<GpuType>& types, const planner::Plan& plan, std::size_t size);

/// The positions of waiting runs in the queue (planner/queue_position.h), by run ID: of several candidates the one that
/// is first. Nothing for runs whose place is not known.
std::map<std::string, QueueSummary> places_in_queue(const planner::Cluster& cluster, const std::vector<Run>& runs);

/// The mean load of GPUs that say one, 0 to 1.
std::optional<double> mean_load(const GpuReadings& readings);

}  // namespace rv::cli::top
