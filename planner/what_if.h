// Requests that differ in one thing and start sooner.
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
  Strategy strategy;                 // with its predicted wait
  std::vector<std::string> options;  // of rv, in place of those of the request: {"--time", "3h50m"}
};

/// What is known of the strategies of the same request.
enum class SameRequest {
  is_planned,      // `asked` is the soonest of its plan: none of them can be sooner
  is_not_planned,  // `asked` is a job that waits
};

/// What would start at least five minutes, and a tenth of the wait of `asked`, sooner than `asked`: a shorter time
/// limit and fewer GPUs that start within ForecastInputs::window_delay, up to three other GPU types, and more nodes.
/// All waits are replayed together. Empty where `asked` starts within five minutes, is checkpointed, or has a wait that
/// is unknown for another reason than its length.
std::vector<WhatIf> what_ifs(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                             const Strategy& asked, const ForecastInputs& inputs,
                             SameRequest same = SameRequest::is_planned);

/// The strategy of a plan that what_ifs() compares with: the soonest that is not checkpointed; null where there is
/// none.
const Strategy* soonest_whole(const Plan& plan);

/// "2 GPUs start now, 4 in about 3h".
std::string change_in_words(const WhatIf& one, const Strategy& asked);

/// "2 GPUs start now, 4 in about 3h: -g 2".
std::string in_words(const WhatIf& one, const Strategy& asked);

}  // namespace rv::planner
