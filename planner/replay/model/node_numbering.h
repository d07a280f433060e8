// Numbers for the nodes and jobs of a replay: what is replayed together stands together, so that memory is near to
// memory.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Gives the nodes of each component consecutive numbers, in the model and in the components; within a component they
/// keep their order, and ReplayModel::positions has which nodes are neighbours at the site. Its jobs are numbered in
/// the order of its queue.
void number_by_component(ReplayModel& model, std::vector<Component>& components);

}  // namespace rv::planner
