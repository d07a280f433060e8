#include "planner/past/log_predictions.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>

#include "base/seeded_random.h"
#include "base/side_by_side.h"
#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast.h"
#include "planner/past/learned_waits.h"
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

constexpr seconds horizon{7 * 86'400};  // of a replay
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

TimePoint first_scored(const JobLog& log, const PastSettings& settings) {
  if (log.jobs.empty()) return {};
  const TimePoint first = log.jobs.front().submitted;
  const auto span = static_cast<double>((log.jobs.back().submitted - first).count());
  return first + seconds(static_cast<std::int64_t>(span * settings.warm_up));
}

/// The numbers of the jobs to predict. Those of the warm-up are learned from.
std::vector<std::size_t> sample(const JobLog& log, const PastSettings& settings, PastPredictions& result) {
  std::vector<std::size_t> usable;
  const TimePoint begin = first_scored(log, settings);
  const std::vector<bool> loops = loops_of(log);
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    const bool early = log.jobs[i].submitted < begin;
    if (early) ++result.warm_up;
    if (loops[i]) {
      if (!early) ++result.loops;
      continue;
    }
    if (!early) ++result.scorable;
    usable.push_back(i);
  }
  if (usable.size() <= settings.most) return usable;
  std::vector<std::size_t> sampled;
  sampled.reserve(settings.most);
  for (std::size_t i = 0; i < settings.most; ++i) sampled.push_back(usable[i * usable.size() / settings.most]);
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

int size_of(const FinishedJob& job) {
  return std::max(job.gpus, job.nodes);
}

/// What was known at the submission besides the replay.
PastCase case_of(const FinishedJob& job, const Cluster& cluster) {
  PastCase now;
  now.user = job.user.empty() ? 0 : fnv1a(job.user.key());
  now.submitted = job.submitted;
  now.start = job.start;
  double capacity = 0;
  for (const Node& node : cluster.nodes) capacity += node.cpus;
  double backlog = 0;
  double own_backlog = 0;
  for (const QueuedJob& waiting : cluster.jobs) {
    if (waiting.state != "PENDING") continue;
    const auto limit = static_cast<double>(waiting.time_limit.value_or(seconds(0)).count());
    if (waiting.cpus <= size_of(job)) backlog += limit * waiting.cpus;
    if (waiting.user == job.user) own_backlog += limit;
  }
  now.features[PastCase::backlog] = time_feature(backlog / std::max(capacity, 1.0));
  now.features[PastCase::own_backlog] = time_feature(own_backlog);
  now.features[PastCase::size] = std::log(size_of(job));
  now.features[PastCase::limit] = std::log(std::max<double>(1, static_cast<double>(job.limit.count())));
  return now;
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

  void predict(const PastStates& states, PastPrediction& prediction, PastCase& known) const {
    const FinishedJob& job = log_.jobs[prediction.job];
    Cluster cluster = states.cluster();
    known = case_of(job, cluster);
    cluster.user = job.user;
    const std::vector<Strategy> strategies{strategy_of(log_, job)};
    ForecastInputs inputs;
    inputs.seed = settings_.seed;
    inputs.trials = trials_for(cluster);
    inputs.finished = states.finished(most_finished);
    known.replay = of(prediction, Predictor::replay) = wait_for(cluster, strategies, inputs);
    const auto median = known.replay.p50.value_or(horizon);
    known.features[PastCase::replayed] = time_feature(static_cast<double>(median.count()));
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

/// `cases`: of each prediction.
void predict_by_rules(const JobLog& log, const Machine& machine, const std::vector<PastCase>& cases,
                      PastPredictions& result) {
  PastStates states(log, machine);
  RecentWaits recent;
  LearnedWaits learned;
  std::size_t added = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    PastPrediction& prediction = result.predictions[i];
    of(prediction, Predictor::learned) = learned.predict(cases[i]);
    learned.add(cases[i]);
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
    case Predictor::learned:
      return "rv, learned";
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
  std::vector<PastCase> cases(sampled.size());
  const LogReplay replay(log, machine, catalogue, settings);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  side_by_side(static_cast<std::size_t>(std::max(settings.threads, 1)), [&] {
    PastStates states(log, machine);
    for (std::size_t first = next.fetch_add(chunk); first < sampled.size(); first = next.fetch_add(chunk)) {
      for (std::size_t i = first; i < std::min(first + chunk, sampled.size()); ++i) {
        states.advance(sampled[i]);
        replay.predict(states, result.predictions[i], cases[i]);
        if (settings.progress) settings.progress(++done, sampled.size());
      }
    }
  });
  predict_by_rules(log, machine, cases, result);
  const TimePoint begin = first_scored(log, settings);
  std::erase_if(result.predictions, [&](const PastPrediction& one) { return log.jobs[one.job].submitted < begin; });
  return result;
}

}  // namespace rv::planner
