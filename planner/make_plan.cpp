#include "planner/make_plan.h"

#include "planner/cost.h"
#include "planner/enumerate.h"
#include "planner/forecast.h"
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

Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request, const Outlook& outlook) {
  const ClusterIndex index = index_cluster(cluster, catalogue);
  Plan plan = enumerate(index, catalogue, request);
  for (Strategy& strategy : plan.strategies) strategy.cost_su = cost_su(strategy, catalogue.su_factor);
  prune(plan.strategies, index);
  const Forecast seen = forecast(index, plan.strategies, outlook);
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    plan.strategies[i].wait = summary_of(seen.prospects[i].starts, seen.basis);
  }
  rank(plan.strategies);
  return plan;
}

}  // namespace rv::planner
