// Explains in text why the first strategy of a plan is first.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/goal.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Returns sentences: why the first strategy is first, then one for each of up to three other GPU models that compares
/// its best strategy with the first. planner/what_if.h finds requests that would start sooner.
std::vector<std::string> reasons_for_order(const Plan& plan, const Goal& goal);

/// "4× A40 on gpu-a40", "2×2 A100 40 GB on gpu-a100-40".
std::string way_in_words(const Strategy& strategy);

}  // namespace rv::planner
