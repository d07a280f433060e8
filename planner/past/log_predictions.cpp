#include "planner/past/log_predictions.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "base/seeded_random.h"
#include "base/side_by_side.h"
#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast.h"
#include "planner/past/past_states.h"
#include "planner/past/recent_waits.h"
#include "planner/replay/affordable_trials.h"
#include "shared/fnv1a.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Run times and arrivals are learned from this many of the newest finished jobs.
constexpr std::size_t most_finished = 5000;
/// A plan may cost a second; a thousand of them may not.
constexpr int most_trials = 16;
constexpr int cost_of_plans = 4;
constexpr int least_trials = 8;
/// Submissions that one thread predicts before it takes the next ones.
constexpr std::size_t chunk = 16;

constexpr seconds longest_loop{20};
constexpr seconds at_once{60};

PastWait& of(PastPrediction& prediction, Predictor predictor) {
  return prediction.waits[static_cast<std::size_t>(predictor)];
}

PastWait past_wait(const Wait& wait) {
  return {.p10 = wait.p10, .p50 = wait.p50, .p90 = wait.p90};
}

/// Programs that submit the same short job again as soon as it has ended: they tell nothing about queues.
std::vector<bool> loops_of(const JobLog& log) {
  std::vector<bool> loops(log.jobs.size(), false);
  if (!log.has_users) return loops;
  std::unordered_map<std::uint64_t, std::size_t> last;
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    const FinishedJob& job = log.jobs[i];
    const auto size = (static_cast<std::uint64_t>(job.nodes) << 32U) | static_cast<std::uint32_t>(job.gpus);
    const auto [at, fresh] = last.try_emplace(mixed(fnv1a(job.user.key()), size), i);
    if (fresh) continue;
    const FinishedJob& before = log.jobs[at->second];
    const bool again = job.submitted >= before.end && job.submitted - before.end <= at_once;
    if (again && before.end - before.start <= longest_loop && job.end - job.start <= longest_loop) {
      loops[i] = loops[at->second] = true;
    }
    at->second = i;
  }
  return loops;
}

/// The numbers of the jobs to predict.
std::vector<std::size_t> sample(const JobLog& log, const PastSettings& settings, PastPredictions& result) {
  std::vector<std::size_t> scorable;
  if (log.jobs.empty()) return scorable;
  const TimePoint first = log.jobs.front().submitted;
  const auto span = static_cast<double>((log.jobs.back().submitted - first).count());
  const TimePoint begin = first + seconds(static_cast<std::int64_t>(span * settings.warm_up));
  const std::vector<bool> loops = loops_of(log);
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    if (log.jobs[i].submitted < begin) {
      ++result.warm_up;
    } else if (loops[i]) {
      ++result.loops;
    } else {
      scorable.push_back(i);
    }
  }
  result.scorable = scorable.size();
  if (scorable.size() <= settings.most) return scorable;
  std::vector<std::size_t> sampled;
  sampled.reserve(settings.most);
  for (std::size_t i = 0; i < settings.most; ++i) sampled.push_back(scorable[i * scorable.size() / settings.most]);
  return sampled;
}

Strategy strategy_of(const JobLog& log, const FinishedJob& job) {
  Strategy strategy;
  strategy.gres_type = job.gpu_type;
  strategy.nodes = job.nodes;
  strategy.gpus_per_node = log.has_gpus ? amount_per_node(log, job) : 0;
  strategy.cpus_per_node = amount_per_node(log, job);
  strategy.partitions = {job.partition};
  // Without a limit, as in a replay of such a job.
  strategy.time_limit = job.limit.count() > 0 ? job.limit : seconds(never - 1);
  return strategy;
}

/// The cluster as though each limit were the job's real run time.
void set_real_run_times(const JobLog& log, Cluster& cluster) {
  for (QueuedJob& queued : cluster.jobs) {
    const auto number = static_cast<std::size_t>(std::stoul(queued.id)) - 1;
    const FinishedJob& job = log.jobs[number];
    queued.time_limit = std::max(seconds(1), job.end - job.start);
  }
}

class LogReplay {
 public:
  LogReplay(const JobLog& log, const Machine& machine, const GpuCatalogue& catalogue, const PastSettings& settings)
      : log_(log), machine_(machine), catalogue_(catalogue), settings_(settings) {}

  void predict(const PastStates& states, PastPrediction& prediction) const {
    const FinishedJob& job = log_.jobs[prediction.job];
    Cluster cluster = states.cluster();
    cluster.user = job.user;
    const std::vector<Strategy> strategies{strategy_of(log_, job)};
    ForecastInputs inputs;
    inputs.seed = settings_.seed;
    inputs.trials = trials_for(cluster);
    inputs.finished = states.finished(most_finished);
    of(prediction, Predictor::replay) = wait_for(cluster, strategies, inputs);
    set_real_run_times(log_, cluster);
    inputs.finished.clear();
    inputs.trials = std::min(inputs.trials, 1);
    of(prediction, Predictor::run_times) = wait_for(cluster, strategies, inputs);
  }

 private:
  int trials_for(const Cluster& cluster) const {
    if (settings_.trials > 0) return settings_.trials;
    return std::clamp(affordable_trials(cluster) / cost_of_plans, least_trials, most_trials);
  }

  PastWait wait_for(const Cluster& cluster, const std::vector<Strategy>& strategies,
                    const ForecastInputs& inputs) const {
    const Forecast seen = forecast(index_cluster(cluster, catalogue_), strategies, inputs);
    return seen.prospects.empty() ? PastWait() : past_wait(summary_of(seen.prospects.front().starts, ""));
  }

  const JobLog& log_;
  const Machine& machine_;
  const GpuCatalogue& catalogue_;
  const PastSettings& settings_;
};

void predict_by_rules(const JobLog& log, const Machine& machine, PastPredictions& result) {
  PastStates states(log, machine);
  RecentWaits recent;
  std::size_t added = 0;
  for (PastPrediction& prediction : result.predictions) {
    states.advance(prediction.job);
    for (; added < states.started().size(); ++added) recent.add(log.jobs[states.started()[added]]);
    const FinishedJob& job = log.jobs[prediction.job];
    PastWait& zero = of(prediction, Predictor::zero);
    zero.p10 = zero.p50 = zero.p90 = seconds(0);
    of(prediction, Predictor::last_few) = past_wait(recent.last(job, 5));
    of(prediction, Predictor::last_many) = past_wait(recent.last(job, 25));
  }
  if (!log.jobs.empty()) states.advance(log.jobs.size() - 1);
  result.unplaced = states.unplaced();
}

}  // namespace

std::string_view to_string(Predictor predictor) {
  switch (predictor) {
    case Predictor::replay:
      return "rv";
    case Predictor::zero:
      return "zero";
    case Predictor::last_few:
      return "last 5";
    case Predictor::last_many:
      return "last 25";
    case Predictor::run_times:
      return "real run times";
    case Predictor::count:
      break;
  }
  return "unknown";
}

PastPredictions predict_log(const JobLog& log, const Machine& machine, const GpuCatalogue& catalogue,
                            const PastSettings& settings) {
  PastPredictions result;
  const std::vector<std::size_t> sampled = sample(log, settings, result);
  result.predictions.resize(sampled.size());
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    const FinishedJob& job = log.jobs[sampled[i]];
    result.predictions[i].job = sampled[i];
    result.predictions[i].real = job.start - job.submitted;
  }
  const LogReplay replay(log, machine, catalogue, settings);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  side_by_side(static_cast<std::size_t>(std::max(settings.threads, 1)), [&] {
    PastStates states(log, machine);
    for (std::size_t first = next.fetch_add(chunk); first < sampled.size(); first = next.fetch_add(chunk)) {
      for (std::size_t i = first; i < std::min(first + chunk, sampled.size()); ++i) {
        states.advance(sampled[i]);
        replay.predict(states, result.predictions[i]);
        if (settings.progress) settings.progress(++done, sampled.size());
      }
    }
  });
  predict_by_rules(log, machine, result);
  return result;
}

}  // namespace rv::planner
