// A plan in words: why its first strategy is first.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/goal.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// One sentence each: why the first strategy of a plan is first, then how the best of up to three other GPU models
/// compares with it. What would start sooner is in planner/what_if.h.
std::vector<std::string> reasons_for_order(const Plan& plan, const Goal& goal);

/// "4× A40 on gpu-a40", "2×2 A100 40 GB on gpu-a100-40".
std::string way_in_words(const Strategy& strategy);

}  // namespace rv::planner
