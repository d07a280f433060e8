// The chances by which a recorded day's jobs got their run times, put in the place of what accounting taught.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/finished_job.h"

namespace rv::bench {

/// By job ID (arrays: of the whole array): run times as shares of the limit.
using Habits = std::map<std::string, std::vector<double>>;

/// What habits.py printed. Throws std::runtime_error when there is nothing to read.
Habits read_habits(const std::string& file);

/// Gives each of the cluster's jobs its own name, and adds as many finished jobs of that name as there are run
/// times. These count as submitted in the future, so that they tell run times alone and no arrivals.
void teach(const Habits& habits, planner::Cluster& cluster, std::vector<planner::FinishedJob>& finished);

}  // namespace rv::bench
