// Selects the strategies that race.
#pragma once

#include <vector>

#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Returns the indices of at most `width` strategies to submit, the best first. Each further candidate needs a place in
/// the queue, and some sites reserve its cost while it waits. So after the plan's first strategy, the next one is
/// always that which adds most, per SU, to the probability that a candidate has started within a certain time. This
/// probability is from the replays; the time is the median wait of the first strategy, at least ten minutes. If no
/// strategy adds anything, or waits were not replayed, the order of the plan decides. The caller passes either
/// checkpointed strategies or others: the two don't race together.
std::vector<std::size_t> fan_out(const std::vector<Strategy>& strategies, int width);

}  // namespace rv::planner
