// Splits a cluster into components whose queues are independent.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Nodes are in one component if a partition, a limit of waiting jobs or a dependency connects them. Returns only
/// components with a hypothetical job, in the order of their first one. bf_max_job_test applies to the whole cluster:
/// the share of a component is that of its jobs among that many first entries, or among all, whichever is more.
std::vector<Component> components_of(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals);

}  // namespace rv::planner
