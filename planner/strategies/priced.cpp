#include "planner/strategies/priced.h"

#include "planner/cluster/cost.h"
#include "planner/strategies/enumerate.h"
#include "planner/strategies/prune.h"

namespace rv::planner {

Plan priced_strategies(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request) {
  Plan plan = enumerate(index, catalogue, request);
  for (Strategy& strategy : plan.strategies) strategy.cost_su = cost_su(strategy, catalogue.su_factor, *index.cluster);
  prune(plan.strategies, index);
  return plan;
}

}  // namespace rv::planner
