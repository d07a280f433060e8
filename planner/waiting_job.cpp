#include "planner/waiting_job.h"

#include <algorithm>

#include "base/text.h"
#include "planner/cluster/cluster_index.h"
#include "planner/forecast.h"
#include "planner/predicted_wait.h"
#include "planner/replay/model/job_demand.h"
#include "planner/start_latency.h"
#include "planner/strategies/priced.h"

namespace rv::planner {

namespace {

bool is_one_of(const QueuedJob& job, const std::vector<WaitingJob>& jobs) {
  return std::any_of(jobs.begin(), jobs.end(),
                     [&](const WaitingJob& one) { return base_id(one.id) == base_id(job.id); });
}

const QueuedJob* in_queue(const Cluster& cluster, const WaitingJob& job) {
  const auto found = std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const QueuedJob& one) {
    return base_id(one.id) == base_id(job.id) && one.state == "PENDING";
  });
  return found == cluster.jobs.end() ? nullptr : &*found;
}

std::optional<Strategy> strategy_of(const Plan& plan, const WaitingJob& job) {
  for (const Strategy& strategy : plan.strategies) {
    if (strategy.gpu.name != job.gpu_type || strategy.gpus() != job.gpus || strategy.nodes != job.nodes) continue;
    if (joined(strategy.partitions) != job.partition) continue;
    Strategy found = strategy;
    if (job.time_limit.count() > 0) found.time_limit = found.work_time = job.time_limit;
    return found;
  }
  return std::nullopt;
}

/// Of one job at its priority.
std::optional<Strategy> with_wait(const ClusterIndex& index, Strategy strategy, const ForecastInputs& inputs) {
  const std::vector<Strategy> alone = {strategy};
  Forecast seen = forecast(index, alone, inputs);
  if (seen.prospects.size() != 1) return std::nullopt;
  set_predicted_wait(strategy, seen.prospects[0], seen,
                     start_latencies(inputs.launch_waits, inputs.seed, inputs.trials));
  std::vector<Strategy> marked = {std::move(strategy)};
  mark_unknown_waits(marked, *index.cluster);
  return marked[0];
}

/// A job with a begin time (`sbatch --begin`, a pause between two attempts) does not start before it. Returns whether
/// that puts off the start. The queue is replayed as if the job could start now, so the result is the earliest time.
bool put_off(Wait& wait, const QueuedJob& job, TimePoint now) {
  if (!job.eligible || *job.eligible <= now) return false;
  const std::chrono::seconds earliest = *job.eligible - now;
  const bool later = wait.p50 && *wait.p50 < earliest;
  for (auto* const one : {&wait.p10, &wait.p50, &wait.p90}) {
    if (*one) *one = std::max(**one, earliest);
  }
  for (auto& start : wait.trials) start = std::max(start, static_cast<std::int32_t>(earliest.count()));
  return later;
}

}  // namespace

WaitingForecast forecast_waiting(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                                 const std::vector<WaitingJob>& jobs, const ForecastInputs& inputs) {
  Cluster others = cluster;
  std::erase_if(others.jobs, [&](const QueuedJob& job) { return is_one_of(job, jobs); });
  Request whole = request;  // a segment stands in the queue as any job of its length does
  whole.checkpoint_only = false;
  whole.windows.clear();
  const ClusterIndex index = index_cluster(others, catalogue);
  const Plan plan = priced_strategies(index, catalogue, whole);
  WaitingForecast result;
  bool until_begin = false;  // of the job in `result`
  for (const WaitingJob& job : jobs) {
    const QueuedJob* queued = in_queue(cluster, job);
    auto strategy = strategy_of(plan, job);
    if (queued == nullptr || !strategy) continue;
    ForecastInputs own = inputs;
    own.queued_priority = queued->priority;
    strategy = with_wait(index, std::move(*strategy), own);
    if (!strategy) continue;
    const bool later = put_off(strategy->wait, *queued, cluster.taken_at);
    const auto known = [](const Strategy& one) { return one.wait.p50.value_or(std::chrono::seconds::max()); };
    if (result.strategy && known(*strategy) >= known(*result.strategy)) continue;
    result.strategy = std::move(strategy);
    until_begin = later;
  }
  // Another request would wait for the same begin time.
  if (result.strategy && !until_begin && !request.checkpoint_only) {
    result.sooner = what_ifs(others, catalogue, request, *result.strategy, inputs, AskedIs::waiting_job);
  }
  return result;
}

}  // namespace rv::planner
