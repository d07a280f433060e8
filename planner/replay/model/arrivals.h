// Models the jobs that will be submitted later, from those of the recent past.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/finished_job.h"
#include "planner/replay/model/new_job_priority.h"
#include "planner/replay/model/replay_builder.h"

namespace rv::planner {

/// Divides the record into hours. For each hour ahead, a trial submits the jobs of a past hour again, drawn from the
/// dozen or more that are closest in the time of day. Each job has the run time it had, and the priority that its
/// user's jobs have now. Returns the text for the forecast's basis: "arrivals as in the last 3 days", or "no arrivals"
/// if the record covers less than two hours.
std::string add_arrivals(ReplayBuilder& builder, const Cluster& cluster, const std::vector<FinishedJob>& finished,
                         const NewJobPriority& priorities);

}  // namespace rv::planner
