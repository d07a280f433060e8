#include "planner/make_plan.h"

#include "planner/cost.h"
#include "planner/enumerate.h"
#include "planner/free_now.h"
#include "planner/prune.h"
#include "planner/rank.h"

namespace rv::planner {

Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request) {
  const ClusterIndex index = index_cluster(cluster, catalogue);
  Plan plan = enumerate(index, catalogue, request);
  for (Strategy& strategy : plan.strategies) strategy.cost_su = cost_su(strategy, catalogue.su_factor);
  prune(plan.strategies, index);
  const Usage usage = measure_usage(cluster);
  for (Strategy& strategy : plan.strategies) strategy.wait = wait_now(index, usage, strategy);
  rank(plan.strategies);
  return plan;
}

}  // namespace rv::planner
