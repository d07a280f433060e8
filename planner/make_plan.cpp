#include "planner/make_plan.h"

#include <algorithm>

#include "base/walltime.h"
#include "planner/checkpoint.h"
#include "planner/cluster/budget.h"
#include "planner/cluster/cost.h"
#include "planner/forecast.h"
#include "planner/sharing/node_tenants.h"
#include "planner/start_latency.h"
#include "planner/strategies/enumerate.h"
#include "planner/strategies/free_now.h"
#include "planner/strategies/prune.h"
#include "planner/strategies/rank.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Work that is worth cutting: two segments of the shortest length.
constexpr seconds least_cut{3600};

Plan priced_strategies(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request) {
  Plan plan = enumerate(index, catalogue, request);
  for (Strategy& strategy : plan.strategies) strategy.cost_su = cost_su(strategy, catalogue.su_factor, *index.cluster);
  prune(plan.strategies, index);
  return plan;
}

/// The longest limit that starts soon in half of the trials, in steps a person would type.
std::optional<seconds> typical_window(std::vector<ReplayTime> windows, const Strategy& strategy) {
  if (windows.empty()) return std::nullopt;
  const auto middle = windows.begin() + static_cast<std::ptrdiff_t>(windows.size()) / 2;
  std::nth_element(windows.begin(), middle, windows.end());
  const ReplayTime step = *middle > 3600 ? 600 : 300;
  const seconds window(*middle / step * step);
  if (window <= seconds(0) || window >= strategy.time_limit) return std::nullopt;
  return window;
}

/// In nine trials of ten nothing is in the way: what P90 tells.
bool is_free_now(const Prospect& prospect) {
  return summary_of(prospect.starts, "").p90 == seconds(0);
}

void tell_wait(Strategy& strategy, const Prospect& prospect, const std::string& basis, bool holders_unseen) {
  strategy.wait = summary_of(prospect.starts, basis);
  if (!strategy.wait.p50 && holders_unseen) strategy.wait.basis = unseen_basis;
  strategy.wait.trials = prospect.starts;
  strategy.wait.window = typical_window(prospect.windows, strategy);
}

/// A limit on the minutes that running jobs have left is not replayed: how long it holds is unknown.
void note_run_minutes(Plan& plan, const Cluster& cluster) {
  for (Strategy& strategy : plan.strategies) {
    std::string waits;
    for (const std::string& name : strategy.partitions) {
      const Partition* partition = cluster.find_partition(name);
      waits = partition == nullptr ? "" : waits_for_run_minutes(cluster, *partition, strategy);
      if (waits.empty()) break;
    }
    if (waits.empty()) continue;
    strategy.wait = Wait{};
    strategy.wait.basis = "unknown: " + waits;
    strategy.finish.reset();
  }
}

/// Where nothing was replayed, the launch is all that is known of a wait.
void tell_launch(Plan& plan, const ForecastInputs& inputs) {
  constexpr int enough = 64;
  const std::vector<ReplayTime> launches = start_latencies(inputs.launches, inputs.seed, enough);
  for (Strategy& strategy : plan.strategies) {
    if (strategy.wait.basis == free_now_basis) strategy.wait = summary_of(launches, strategy.wait.basis);
  }
}

void tell_finish(Strategy& strategy, seconds restart) {
  if (!strategy.wait.p50) return;
  // A launch is no wait that would be worth a word.
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
      plan.rejected.push_back({strategy.gpu.name, "no shorter segment would start sooner than all of the work"});
    }
    return dropped;
  });
}

}  // namespace

Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request) {
  const ClusterIndex index = index_cluster(cluster, catalogue);
  Plan plan = priced_strategies(index, catalogue, request);
  const Usage usage = measure_usage(cluster);
  const NodeTenants tenants(cluster);
  for (Strategy& strategy : plan.strategies) strategy.wait = wait_now(index, usage, tenants, strategy);
  note_run_minutes(plan, cluster);
  rank(plan.strategies);
  return plan;
}

Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
               const ForecastInputs& inputs) {
  if (cluster.unanswered.contains("jobs") || cluster.unanswered.contains("reservations") || inputs.trials < 1) {
    Plan plan = make_plan(cluster, catalogue, request);
    tell_launch(plan, inputs);
    rank(plan.strategies, inputs.goal);
    return plan;
  }
  const ClusterIndex index = index_cluster(cluster, catalogue);
  Request wanted = request;
  const bool find_windows = request.windows.empty() && request.time >= least_cut;
  // Every length below the whole is a candidate; the replay tells which is best.
  if (find_windows) wanted.windows["*"] = request.time - seconds(1);
  Plan plan = priced_strategies(index, catalogue, wanted);
  Forecast seen = forecast(index, plan.strategies, inputs);
  const std::vector<ReplayTime> launches = start_latencies(inputs.launches, inputs.seed, inputs.trials);
  std::vector<bool> kept(plan.strategies.size(), true);
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    Strategy& strategy = plan.strategies[i];
    Prospect& prospect = seen.prospects[i];
    const bool free_now = is_free_now(prospect);
    add_start_latency(prospect, launches);
    if (strategy.kind == Kind::checkpoint && find_windows) {
      kept[i] = cut(strategy, prospect, seen, inputs);
    } else {
      tell_wait(strategy, prospect, free_now ? std::string(free_now_basis) : seen.basis, seen.holders_unseen);
      tell_finish(strategy, inputs.restart_cost);
    }
  }
  drop_uncut(plan, kept, request);
  note_run_minutes(plan, cluster);
  rank(plan.strategies, inputs.goal);
  return plan;
}

}  // namespace rv::planner
