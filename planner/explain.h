// A plan in words: why its first is first, and what would start sooner.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"

namespace rv::planner {

struct Explanation {
  std::vector<std::string> why;     // one sentence each, the first about the plan's first
  std::vector<std::string> sooner;  // other requests, each with what it would bring
};

/// `plan`: what make_plan gave for these. Looks at shorter walltimes that the replays saw start soon, and plans once
/// more with every GPU type and every split to see what the request shuts out. Only what starts at least five minutes
/// and a tenth of the wait sooner is worth a sentence.
Explanation explain(const Plan& plan, const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                    const ForecastInputs& inputs);

/// "4× A40 on gpu-a40", "2×2 A100 40 GB on gpu-a100-40".
std::string way_in_words(const Strategy& strategy);

}  // namespace rv::planner
