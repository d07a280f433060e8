// Numbers nodes and jobs by component, for cache locality.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Gives the nodes of each component consecutive numbers, in the model and in the components. Within a component they
/// keep their order; ReplayModel::positions has the order of the site, in which neighbours are adjacent. The jobs of a
/// component are numbered in the order of its queue.
void number_by_component(ReplayModel& model, std::vector<Component>& components);

}  // namespace rv::planner
