// Finds requests that differ from the user's in one respect and start sooner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"

namespace rv::planner {

enum class Change { shorter_time, fewer_gpus, other_type, more_nodes };

/// "shorter_time", "fewer_gpus", "other_type", "more_nodes".
std::string_view to_string(Change change);

struct WhatIf {
  Change change = Change::shorter_time;
  Strategy strategy;                 // includes its predicted wait
  std::vector<std::string> options;  // rv's options for this change: {"--time", "3h50m"}
};

/// What the strategy is that what_ifs() compares with.
enum class AskedIs {
  soonest_of_plan,  // the soonest strategy of the request's plan: no other strategy of the request starts sooner
  waiting_job,      // a job in the queue: another strategy of the same request may start sooner
};

/// Returns changes of the request that start sooner than `asked`, by at least five minutes and at least a tenth of its
/// wait:
/// - a shorter time limit, if that starts within ForecastInputs::window_delay
/// - fewer GPUs, if they start within that time
/// - up to three other GPU types
/// - more nodes
///
/// Empty if `asked` starts within five minutes, is checkpointed, or has an unknown wait. A wait that is only too long
/// for the replay counts as a week.
std::vector<WhatIf> what_ifs(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                             const Strategy& asked, const ForecastInputs& inputs,
                             AskedIs asked_is = AskedIs::soonest_of_plan);

/// Returns the strategy of a plan that what_ifs() compares with: the soonest that is not checkpointed; null if there is
/// none.
const Strategy* soonest_whole(const Plan& plan);

/// "2 GPUs instead of 4 start now".
std::string change_in_words(const WhatIf& one, const Strategy& asked);

/// "2 GPUs instead of 4 start now: -g 2".
std::string in_words(const WhatIf& one, const Strategy& asked);

}  // namespace rv::planner
