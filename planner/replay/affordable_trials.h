// How many replays of the queue a plan can pay for.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// As many replays as are worth their time: 64 on a small queue, fewer as it grows, and none where fewer than 8 could
/// be had in about half a second. Depends on the snapshot alone, so that the same snapshot gives the same answer.
int affordable_trials(const Cluster& cluster);

}  // namespace rv::planner
