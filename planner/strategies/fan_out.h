// Which strategies race.
#pragma once

#include <vector>

#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Numbers of the strategies to submit, at most `width`, the best first. A strategy is one more queue slot, and where a
/// site bills what is asked for, its cost is reserved while it waits. So after the plan's first, each next is the one
/// that adds most to the probability that any of them has started by then (in the same replays), per SU; "by then" is
/// the first's median, but ten minutes at least. Where none adds anything, or waits were not replayed, the
/// plan's order decides. Strategies in segments and others don't belong into one race: the caller gives one sort.
std::vector<std::size_t> fan_out(const std::vector<Strategy>& strategies, int width);

}  // namespace rv::planner
