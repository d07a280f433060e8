#include "planner/forecast.h"

#include <algorithm>
#include <atomic>

#include "base/side_by_side.h"
#include "base/text.h"
#include "planner/cluster/admission.h"
#include "planner/cluster/cost.h"
#include "planner/replay/model/arrivals.h"
#include "planner/replay/model/components.h"
#include "planner/replay/model/new_job_priority.h"
#include "planner/replay/model/node_numbering.h"
#include "planner/replay/model/replay_builder.h"
#include "planner/replay/queue_replay.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Time limits that are tried beside the one asked for: where a shorter job would slip in shows in them.
constexpr int ladder_minutes[] = {15,  30,  45,  60,  90,   120,  150,  180,  240,  300, 360,
                                  480, 600, 720, 960, 1200, 1440, 2160, 2880, 4320, 5760};

struct JobOfStrategy {
  std::size_t strategy = 0;
  int hypothetical = 0;
};

class Forecaster {
 public:
  Forecaster(const ClusterIndex& index, const std::vector<Strategy>& strategies, const ForecastInputs& inputs)
      : cluster_(*index.cluster),
        strategies_(strategies),
        inputs_(inputs),
        run_times_(inputs.finished, index.cluster),
        priorities_(cluster_, inputs.priority) {}

  Forecast predict() {
    ReplayBuilder builder(cluster_, run_times_);
    const std::string arrivals =
        inputs_.finished.empty() ? "" : add_arrivals(builder, cluster_, inputs_.finished, priorities_);
    for (std::size_t i = 0; i < strategies_.size(); ++i) add_hypotheticals(builder, i);
    ReplayModel model = builder.finish();
    std::vector<Component> components = components_of(model, hypotheticals_);
    number_by_component(model, components);
    std::vector<std::vector<HypotheticalOutcome>> outcomes(static_cast<std::size_t>(inputs_.trials));
    replay(model, components, outcomes);
    Forecast result;
    result.basis = basis(model, arrivals);
    result.holders_unseen = model.nodes_of_unseen > 0;
    result.prospects.resize(strategies_.size());
    for (std::size_t i = 0; i < strategies_.size(); ++i) gather(i, outcomes, result.prospects[i]);
    return result;
  }

 private:
  void add_hypotheticals(ReplayBuilder& builder, std::size_t number) {
    const Strategy& strategy = strategies_[number];
    for (const std::string& name : strategy.partitions) {
      const int in = builder.partition(name);
      if (in < 0 || !cluster_.partitions[in].up) continue;
      const Partition& partition = cluster_.partitions[in];
      Demand demand;
      demand.cpus = strategy.cpus_per_node;
      demand.memory = strategy.memory_per_node.count;
      demand.gpus = strategy.gpus_per_node;
      demand.gpu_type = builder.gpu_type(strategy.gres_type);
      QueuedJob job;
      job.user = cluster_.user;
      // A job on all memory of a node leaves none for others.
      job.exclusive = strategy.exclusive || strategy.all_memory;
      builder.apply_rules(demand, in, job);
      HypotheticalJob hypothetical;
      hypothetical.partition = in;
      hypothetical.tier = partition.priority_tier;
      hypothetical.priority = inputs_.queued_priority.value_or(priorities_.of(cluster_.user));
      const JobRights rights = rights_of(cluster_, strategy, partition);
      NodeConstraints filter{strategy.constraint, strategy.exclude, strategy.nodelist, -1};
      builder.exclude_closed(filter, rights, strategy.time_limit);
      add_rights(builder, strategy, rights, hypothetical);
      for (const std::string& island : builder.islands(in, strategy.nodes)) {
        filter.top_switch = island;
        hypothetical.shape = builder.shape(in, demand, strategy.nodes, filter);
        add_hypothetical(number, hypothetical);
      }
    }
  }

  void add_hypothetical(std::size_t number, HypotheticalJob hypothetical) {
    const Strategy& strategy = strategies_[number];
    const auto same = std::find_if(hypotheticals_.begin(), hypotheticals_.end(), [&](const HypotheticalJob& other) {
      return other.shape == hypothetical.shape && other.partition == hypothetical.partition &&
             other.preemptor == hypothetical.preemptor && other.shared_limits == hypothetical.shared_limits;
    });
    of_strategy_.push_back({number, static_cast<int>(same - hypotheticals_.begin())});
    if (same == hypotheticals_.end()) {
      add_ladder(hypothetical, strategy);
      hypotheticals_.push_back(std::move(hypothetical));
    } else {
      add_ladder(*same, strategy);
    }
  }

  /// What hangs on the account and QOS that the job would have: limits, and whose places it may take.
  void add_rights(ReplayBuilder& builder, const Strategy& strategy, const JobRights& rights,
                  HypotheticalJob& hypothetical) const {
    hypothetical.preemptor = builder.preemptor(builder.qos(rights.qos), hypothetical.partition, hypothetical.priority);
    hypothetical.shared_limits =
        builder.limits().of(cluster_.user, rights.account, rights.qos, {rights.partition}).limits;
    if (hypothetical.shared_limits.empty()) return;
    const Tres tres = tres_of(strategy, cluster_.partitions[hypothetical.partition], cluster_.controller);
    hypothetical.amounts = builder.limits().amounts(tres, strategy.nodes, strategy.cpus_per_node * strategy.nodes);
  }

  static void add_ladder(HypotheticalJob& hypothetical, const Strategy& strategy) {
    const ReplayTime asked_before = hypothetical.limits.empty() ? 0 : hypothetical.limits[hypothetical.asked];
    const auto whole = static_cast<ReplayTime>(std::min<std::int64_t>(strategy.time_limit.count(), never));
    hypothetical.limits.push_back(whole);
    const auto work = std::min<std::int64_t>(strategy.work_time.count(), whole);
    for (const int minutes : ladder_minutes) {
      const ReplayTime limit = ReplayTime{minutes} * 60;
      if (limit < work) hypothetical.limits.push_back(limit);
    }
    std::sort(hypothetical.limits.begin(), hypothetical.limits.end());
    hypothetical.limits.erase(std::unique(hypothetical.limits.begin(), hypothetical.limits.end()),
                              hypothetical.limits.end());
    const auto asked =
        std::lower_bound(hypothetical.limits.begin(), hypothetical.limits.end(), std::max(asked_before, whole));
    hypothetical.asked = static_cast<std::size_t>(asked - hypothetical.limits.begin());
  }

  void replay(const ReplayModel& model, const std::vector<Component>& components,
              std::vector<std::vector<HypotheticalOutcome>>& outcomes) const {
    ReplaySettings settings;
    settings.seed = inputs_.seed;
    settings.window_delay = static_cast<ReplayTime>(inputs_.window_delay.count());
    for (auto& trial : outcomes) trial.resize(hypotheticals_.size());
    const std::size_t units = components.size() * outcomes.size();
    const auto threads = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(inputs_.threads, 1)), 1,
                                                 std::max<std::size_t>(units, 1));
    // Whoever is free takes the next; what comes out hangs on the component and the trial alone.
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      QueueReplay queue(model, hypotheticals_, settings);
      // Component by component: what the replay knows of one stays near.
      for (std::size_t unit = next++; unit < units; unit = next++) {
        const Component& component = components[unit / outcomes.size()];
        const std::size_t trial = unit % outcomes.size();
        const auto& found = queue.run(component, static_cast<int>(trial));
        for (std::size_t i = 0; i < found.size(); ++i) outcomes[trial][component.hypotheticals[i]] = found[i];
      }
    };
    side_by_side(threads, work);
  }

  void gather(std::size_t number, const std::vector<std::vector<HypotheticalOutcome>>& outcomes, Prospect& into) const {
    const auto trials = outcomes.size();
    into.starts.assign(trials, never);
    into.windows.assign(trials, 0);
    for (const JobOfStrategy& link : of_strategy_) {
      if (link.strategy != number) continue;
      const HypotheticalJob& hypothetical = hypotheticals_[link.hypothetical];
      if (into.limits.empty()) {
        for (const ReplayTime limit : hypothetical.limits) into.limits.emplace_back(limit);
        into.starts_by_limit.assign(hypothetical.limits.size(), std::vector<ReplayTime>(trials, never));
      }
      const auto own = std::lower_bound(hypothetical.limits.begin(), hypothetical.limits.end(),
                                        static_cast<ReplayTime>(strategies_[number].time_limit.count()));
      for (std::size_t trial = 0; trial < trials; ++trial) {
        const HypotheticalOutcome& outcome = outcomes[trial][link.hypothetical];
        if (outcome.starts.empty()) continue;
        if (own != hypothetical.limits.end()) {
          into.starts[trial] = std::min(into.starts[trial], outcome.starts[own - hypothetical.limits.begin()]);
        }
        into.windows[trial] = std::max(into.windows[trial], outcome.window);
        for (std::size_t i = 0; i < into.limits.size() && i < outcome.starts.size(); ++i) {
          into.starts_by_limit[i][trial] = std::min(into.starts_by_limit[i][trial], outcome.starts[i]);
        }
      }
    }
  }

  std::string basis(const ReplayModel& model, const std::string& arrivals) const {
    std::string text = "replay of " + counted(model.queued, "job");
    if (run_times_.size() > 0) {
      text += ", run times of " + counted(static_cast<long long>(run_times_.size()), "finished job") + ", " + arrivals;
    } else {
      text += " with full time limits and no new arrivals";
    }
    text += ", " + priority_source();
    if (!model.left_out.empty()) text += "; not modelled: " + listed(model.left_out);
    return text;
  }

  std::string priority_source() const {
    if (inputs_.queued_priority) return "its own priority";
    return inputs_.priority ? "priority from " + inputs_.priority_source : priorities_.source(cluster_.user);
  }

  const Cluster& cluster_;
  const std::vector<Strategy>& strategies_;
  const ForecastInputs& inputs_;
  const RunTimes run_times_;
  const NewJobPriority priorities_;
  std::vector<HypotheticalJob> hypotheticals_;
  std::vector<JobOfStrategy> of_strategy_;
};

}  // namespace

Forecast forecast(const ClusterIndex& index, const std::vector<Strategy>& strategies, const ForecastInputs& inputs) {
  const Cluster& cluster = *index.cluster;
  if (cluster.unanswered.contains("jobs") || cluster.unanswered.contains("reservations") || inputs.trials < 1) {
    return {.prospects = {}, .basis = "unknown"};
  }
  return Forecaster(index, strategies, inputs).predict();
}

Wait summary_of(const std::vector<ReplayTime>& starts, const std::string& basis) {
  Wait wait;
  wait.basis = basis;
  if (starts.empty()) return wait;
  std::vector<ReplayTime> sorted = starts;
  std::sort(sorted.begin(), sorted.end());
  const auto rank = [&](std::size_t percent) -> std::optional<seconds> {
    const std::size_t nth = (sorted.size() * percent + 99) / 100;
    const ReplayTime value = sorted[std::max<std::size_t>(nth, 1) - 1];
    if (value >= never) return std::nullopt;
    return seconds(value);
  };
  wait.p10 = rank(10);
  wait.p50 = rank(50);
  wait.p90 = rank(90);
  return wait;
}

}  // namespace rv::planner
