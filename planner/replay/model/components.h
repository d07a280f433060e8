// Parts of a cluster whose queues have nothing to do with each other.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Nodes belong together when a partition, a limit of waiting jobs or a dependency joins them. Only components that a
/// hypothetical job is in are returned, in the order of their first hypothetical jobs. bf_max_job_test is of the whole
/// cluster: a component has the part of it that its jobs have in that many first entries, or in all, whichever is more.
std::vector<Component> components_of(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals);

}  // namespace rv::planner
