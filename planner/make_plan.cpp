#include "planner/make_plan.h"

#include <algorithm>

#include "base/walltime.h"
#include "planner/checkpoint.h"
#include "planner/forecast.h"
#include "planner/predicted_wait.h"
#include "planner/sharing/node_tenants.h"
#include "planner/start_latency.h"
#include "planner/strategies/free_now.h"
#include "planner/strategies/priced.h"
#include "planner/strategies/rank.h"
#include "planner/strategies/spare_gpu_nodes.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Work that is worth cutting: two segments of the shortest length.
constexpr seconds least_cut{3600};

/// Where nothing was replayed, the launch is all that is known of a wait.
void tell_launch(Plan& plan, const ForecastInputs& inputs) {
  constexpr int enough = 64;
  const std::vector<ReplayTime> launches = start_latencies(inputs.launch_waits, inputs.seed, enough);
  for (Strategy& strategy : plan.strategies) {
    if (strategy.wait.basis == free_now_basis) strategy.wait = summary_of(launches, strategy.wait.basis);
  }
}

void tell_finish(Strategy& strategy, seconds restart) {
  if (!strategy.wait.p50) return;
  // A launch is not a wait that would be worth a word.
  const seconds wait = strategy.wait.basis == free_now_basis ? seconds(0) : *strategy.wait.p50;
  strategy.finish = strategy.segments * wait + strategy.work_time + (strategy.segments - 1) * restart;
}

/// Gives a checkpointed strategy its best length. False: cutting does not make it start sooner.
bool cut(Strategy& strategy, const Prospect& prospect, const Forecast& seen, const ForecastInputs& inputs) {
  const auto best = best_segments(prospect, strategy.work_time, strategy.time_limit, inputs.restart_cost, seen.basis);
  if (!best || *best->wait.p50 > inputs.window_delay) return false;
  // Where the whole of the work starts as soon, there is nothing to gain.
  if (!prospect.limits.empty() && prospect.limits.back() >= strategy.work_time) {
    const Wait whole = summary_of(prospect.starts_by_limit.back(), "");
    if (whole.p50 && *whole.p50 <= inputs.window_delay) return false;
  }
  strategy.time_limit = best->length;
  strategy.segments = best->count;
  strategy.wait = best->wait;
  strategy.finish = best->finish;
  return true;
}

void drop_uncut(Plan& plan, const std::vector<bool>& cut, const Request& request) {
  std::size_t i = 0;
  std::erase_if(plan.strategies, [&](const Strategy& strategy) {
    const bool dropped = !cut[i++];
    if (dropped && request.checkpoint_only) {
      plan.rejected.push_back({strategy.gpu.name, "no shorter segment would start sooner than the whole job"});
    }
    return dropped;
  });
}

void order(Plan& plan, const ForecastInputs& inputs) {
  const Goal& goal = inputs.goal;
  // Whoever wants the cheapest sees all.
  if (goal.aim != Aim::cheapest) spare_gpu_nodes(plan, inputs.window_delay);
  rank(plan.strategies, goal);
  plan.as_good = plan.strategies.empty() ? 1 : models_as_good(plan.strategies, goal);
}

}  // namespace

Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request) {
  const ClusterIndex index = index_cluster(cluster, catalogue);
  Plan plan = priced_strategies(index, catalogue, request);
  const Usage usage = measure_usage(cluster);
  const NodeTenants tenants(cluster);
  for (Strategy& strategy : plan.strategies) strategy.wait = wait_now(index, usage, tenants, strategy);
  mark_unknown_waits(plan.strategies, cluster);
  order(plan, ForecastInputs());
  return plan;
}

Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
               const ForecastInputs& inputs) {
  if (cluster.unanswered.contains("jobs") || cluster.unanswered.contains("reservations") || inputs.trials < 1) {
    Plan plan = make_plan(cluster, catalogue, request);
    tell_launch(plan, inputs);
    order(plan, inputs);
    return plan;
  }
  const ClusterIndex index = index_cluster(cluster, catalogue);
  Request wanted = request;
  const bool find_windows = request.windows.empty() && request.time >= least_cut;
  // Every length below the whole is a candidate; the replay tells which is best.
  if (find_windows) wanted.windows["*"] = request.time - seconds(1);
  Plan plan = priced_strategies(index, catalogue, wanted);
  Forecast seen = forecast(index, plan.strategies, inputs);
  const std::vector<ReplayTime> launches = start_latencies(inputs.launch_waits, inputs.seed, inputs.trials);
  std::vector<bool> kept(plan.strategies.size(), true);
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    Strategy& strategy = plan.strategies[i];
    Prospect& prospect = seen.prospects[i];
    if (strategy.kind == Kind::checkpoint && find_windows) {
      add_start_latency(prospect, launches);
      kept[i] = cut(strategy, prospect, seen, inputs);
    } else {
      set_predicted_wait(strategy, prospect, seen, launches);
      tell_finish(strategy, inputs.restart_cost);
    }
  }
  drop_uncut(plan, kept, request);
  mark_unknown_waits(plan.strategies, cluster);
  order(plan, inputs);
  return plan;
}

}  // namespace rv::planner
