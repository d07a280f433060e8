// Jobs that will be submitted later, as those of the recent past were.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/finished_job.h"
#include "planner/replay/model/new_job_priority.h"
#include "planner/replay/model/replay_builder.h"

namespace rv::planner {

/// Cuts the record into hours. For each hour ahead a trial submits one of the past again, out of the dozen or more that
/// were nearest to its time of the day: every job with the run time it had and the priority its user's jobs have now.
/// Returns what the basis says of it:
/// "arrivals as in the last 3 days"; "no arrivals" where the record covers less than two hours.
std::string add_arrivals(ReplayBuilder& builder, const Cluster& cluster, const std::vector<FinishedJob>& finished,
                         const NewJobPriority& priorities);

}  // namespace rv::planner
