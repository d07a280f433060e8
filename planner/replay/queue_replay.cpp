#include "planner/replay/queue_replay.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {

namespace {

/// Purposes of chance within a trial, apart from the jobs' own keys.
constexpr std::uint64_t for_phase = 0x70686173;
constexpr std::uint64_t for_periods = 0x64617973;
constexpr std::uint64_t for_overruns = 0x6f766572;
constexpr std::uint64_t for_levels = std::uint64_t{0x6c657665} << 32U;

/// Slurm looks for jobs past their limit every half minute or so.
constexpr double overrun = 30;

}  // namespace

QueueReplay::QueueReplay(const ReplayModel& model, const std::vector<Probe>& probes, const ReplaySettings& settings)
    : model_(model),
      probes_(probes),
      settings_(settings),
      timeline_(model),
      plans_(model),
      rooms_(model, timeline_),
      node_partitions_(model.nodes.size()),
      steps_(model.partitions.size()),
      tasks_left_(model.jobs.size()),
      tasks_open_(model.jobs.size()),
      array_running_(model.arrays.size()),
      notes_(model.shapes.size()),
      partition_blocked_(model.partitions.size()),
      partition_blocked_by_probe_(model.partitions.size()),
      node_blocked_(model.nodes.size()),
      user_pass_(static_cast<std::size_t>(model.users)),
      user_tests_(static_cast<std::size_t>(model.users)),
      partition_tests_(model.partitions.size()) {
  for (std::size_t i = 0; i < model.partition_nodes.size(); ++i) {
    for (const int node : model.partition_nodes[i]) node_partitions_[node] |= std::uint64_t{1} << i % 64;
  }
  whole_tails_.reserve(model.run_times.size());
  for (const RunTimes::Group& group : model.run_times) whole_tails_.push_back(RunTimes::tail(group, 0));
}

const std::vector<ProbeOutcome>& QueueReplay::run(const Component& component, int trial) {
  if (component_ != &component) enter(component);
  begin(component, trial);
  const ReplayTime interval = model_.times.backfill_interval;
  const auto phase = static_cast<ReplayTime>(unit_interval(mixed(chance_, for_phase)) * interval);
  if (model_.times.submit_delay <= 0) main_pass(0);
  ReplayTime next_pass = std::max(phase, 1);
  bool changed = true;
  if (model_.times.submit_delay > 0) events_.push({model_.times.submit_delay, -1});
  while (open_probes_ > 0) {
    const ReplayTime event = next_event();
    if (!changed) {
      if (event >= settings_.horizon) break;
      // Passes in which nothing can have changed are left out, in step with those that are not.
      if (event > next_pass) next_pass += (event - next_pass + interval - 1) / interval * interval;
    }
    const ReplayTime step =
        ++passes_ > settings_.fine_passes ? std::max(interval, next_pass / settings_.coarseness) : interval;
    coarse_ = step > interval;
    if (coarse_) {
      apply_events(next_pass);
    } else {
      for (ReplayTime at = next_event(); at <= next_pass && open_probes_ > 0; at = next_event()) {
        apply_events(at);
        const ReplayTime noticed = at + model_.times.main_delay;
        if (noticed < next_pass) main_pass(noticed);
      }
    }
    if (next_pass > settings_.horizon) break;
    if (open_probes_ == 0) break;
    starts_ = 0;
    const auto pass = [&] {
      if (model_.times.backfill) {
        backfill_pass(next_pass);
      } else {
        main_pass(next_pass);
      }
    };
    pass();
    // Who started in a coarse step may be over in it, and his room taken by the next.
    while (coarse_ && open_probes_ > 0 && next_event() <= next_pass) {
      apply_events(next_pass);
      pass();
    }
    const bool stopped_early = model_.times.starts_a_pass > 0 && starts_ >= model_.times.starts_a_pass;
    changed = stopped_early;
    previous_pass_ = next_pass;
    next_pass += step;
  }
  return outcomes_;
}

void QueueReplay::enter(const Component& component) {
  component_ = &component;
  timeline_.enter(component.nodes);
  tails_.clear();
  for (std::size_t i = 0; i < component.running.size(); ++i) {
    const RunningJob& running = model_.running[component.running[i]];
    const ReplayJob& job = model_.jobs[running.job];
    const ReplayTime limit_end = job.limit >= never ? never : job.limit - job.ran;
    tails_.emplace_back();
    if (job.run_times >= 0 && job.limit < never) {
      tails_.back() = RunTimes::tail(model_.run_times[job.run_times], static_cast<double>(job.ran) / job.limit);
    }
    for (const Holding& holding : running.parts) {
      timeline_.adopt(holding.node, holding.part, limit_end, static_cast<int>(i));
    }
  }
  rooms_.enter(component.nodes);
  std::vector<bool> here(model_.running.size());
  for (const int number : component.running) here[number] = true;
  ends_elsewhere_.clear();
  for (std::size_t i = 0; i < here.size(); ++i) {
    const ReplayJob& job = model_.jobs[model_.running[i].job];
    if (!here[i] && job.limit < never) ends_elsewhere_.push_back(job.limit - job.ran);
  }
  std::sort(ends_elsewhere_.begin(), ends_elsewhere_.end());
}

void QueueReplay::begin(const Component& component, int trial) {
  chance_ = mixed(settings_.seed, static_cast<std::uint64_t>(trial));
  timeline_.reset();
  plans_.forget();
  rooms_.reset();
  for (const int partition : component.partitions) steps_[partition].seen = never;
  outcomes_.assign(component.probes.size(), {});
  probe_next_.assign(component.probes.size(), 0);
  for (std::size_t i = 0; i < component.probes.size(); ++i) {
    outcomes_[i].starts.assign(probes_[component.probes[i]].limits.size(), never);
  }
  open_probes_ = component.probes.size();
  active_ = component.waiting;
  front_ = 0;
  limits_ = model_.limits;
  for (std::size_t i = 0; i < array_running_.size(); ++i) array_running_[i] = model_.arrays[i].running;
  events_ = {};
  runs_.clear();
  releases_.clear();
  free_slots_.clear();
  previous_pass_ = 0;
  passes_ = 0;
  last_wake_ = last_limited_end_ = 0;
  coarse_ = false;
  for (const Row& row : component.rows) tasks_left_[row.job] = 0;
  for (const int number : component.waiting) {
    const Row& row = component.rows[number];
    tasks_left_[row.job] = tasks_open_[row.job] = model_.jobs[row.job].tasks;
    if (row.eligible > 0 && row.eligible < never) events_.push({row.eligible, -1});
  }
  for (const int node : component.nodes) {
    for (const Block& block : model_.blocks[node]) {
      if (block.end > 0) events_.push({block.end, -1});
    }
  }
  adopt_running();
  period_begin_ = -model_.arrival_period;
  next_in_period_ = 0;
  period_ = 0;
  if (!component.arrivals.empty()) next_in_period_ = component.arrivals[0].size();
}

void QueueReplay::adopt_running() {
  for (const int number : component_->running) {
    const RunningJob& running = model_.running[number];
    const ReplayJob& job = model_.jobs[running.job];
    const auto slot = static_cast<int>(runs_.size());
    runs_.push_back({running.job, {}});
    releases_.push_back({0, job.limit >= never ? never : job.limit - job.ran});
    for (const Holding& holding : running.parts) {
      runs_.back().nodes.push_back(holding.node);
      releases_.back().partitions |= node_partitions_[holding.node];
    }
    tasks_left_[running.job] = 0;
    tasks_open_[running.job] = 1;
    events_.push({remaining(job, tails_[slot]), slot});
  }
}

double QueueReplay::level_chance(const ReplayJob& job) const {
  return unit_interval(mixed(chance_, for_levels + static_cast<std::uint64_t>(job.run_times)));
}

ReplayTime QueueReplay::remaining(const ReplayJob& job, const RunTimes::Tail& tail) const {
  if (job.run > 0) return job.run;
  if (job.limit >= never) return never;
  const double ratio =
      job.run_times < 0 ? 1 : RunTimes::sample(tail, level_chance(job), unit_interval(mixed(chance_, job.key)));
  const auto left = static_cast<ReplayTime>(ratio * job.limit) - job.ran;
  if (left > 0) return left;
  return 1 + static_cast<ReplayTime>(unit_interval(mixed(chance_, mixed(job.key, for_overruns))) * overrun);
}

ReplayTime QueueReplay::run_time(const ReplayJob& job, int task) const {
  if (job.run > 0) return job.run;
  if (job.limit >= never) return never;
  if (job.run_times < 0) return job.limit;
  const double chance = unit_interval(mixed(chance_, job.key + static_cast<std::uint64_t>(task)));
  const double ratio = RunTimes::sample(whole_tails_[job.run_times], level_chance(job), chance);
  return std::max(1, static_cast<ReplayTime>(ratio * job.limit));
}

/// The past is submitted again period by period, in an order of its own for each trial.
ReplayTime QueueReplay::next_arrival() {
  const auto& periods = component_->arrivals;
  if (periods.empty()) return never;
  for (int tries = 0; tries < 64; ++tries) {
    while (next_in_period_ < periods[period_].size()) {
      const Arrival& next = periods[period_][next_in_period_];
      // One that still waits from an earlier period does not come twice.
      if (tasks_left_[component_->rows[next.entry].job] == 0) return period_begin_ + next.after;
      ++next_in_period_;
    }
    period_begin_ += model_.arrival_period;
    next_in_period_ = 0;
    const std::uint64_t pick = mixed(chance_, for_periods + static_cast<std::uint64_t>(period_begin_));
    const auto ahead = static_cast<std::size_t>(period_begin_ / model_.arrival_period);
    const std::vector<int>& choice = model_.periods_by_time[ahead % model_.periods_by_time.size()];
    period_ = static_cast<std::size_t>(choice[pick % choice.size()]);
  }
  return never;
}

void QueueReplay::take_arrivals(ReplayTime until) {
  while (next_arrival() <= until) {
    const Arrival& next = component_->arrivals[period_][next_in_period_++];
    const int job = component_->rows[next.entry].job;
    tasks_left_[job] = tasks_open_[job] = model_.jobs[job].tasks;
    const auto first = active_.begin() + static_cast<std::ptrdiff_t>(front_);
    const auto at = std::upper_bound(first, active_.end(), next.entry);
    // It may stand there still, over, from an earlier period.
    if (at != first && *(at - 1) == next.entry) continue;
    active_.insert(at, next.entry);
  }
}

ReplayTime QueueReplay::next_event() {
  const ReplayTime arrival = next_arrival();
  return events_.empty() ? arrival : std::min(arrival, events_.top().at);
}

void QueueReplay::apply_events(ReplayTime until) {
  take_arrivals(until);
  while (!events_.empty() && events_.top().at <= until) {
    const Event event = events_.top();
    events_.pop();
    if (event.slot >= 0) {
      end_run(event.slot, event.at);
    } else {
      last_wake_ = event.at;
    }
  }
}

void QueueReplay::end_run(int slot, ReplayTime at) {
  Run& run = runs_[slot];
  const ReplayJob& job = model_.jobs[run.job];
  for (const int node : run.nodes) {
    timeline_.release(node, slot);
    timeline_.released_at(node, at);
  }
  run.nodes.clear();
  releases_[slot].partitions = 0;
  if (--tasks_open_[run.job] == 0 || !job.limits.empty()) last_limited_end_ = at;
  if (job.array >= 0) --array_running_[job.array];
  for (const int number : job.limits) {
    SharedLimit& limit = limits_[number];
    --limit.jobs;
    for (std::size_t i = 0; i < limit.used.size(); ++i) limit.used[i] -= job.amounts[i];
  }
  free_slots_.push_back(slot);
}

bool QueueReplay::within_limits(const std::vector<int>& limits, const std::vector<std::int64_t>& amounts) const {
  return std::all_of(limits.begin(), limits.end(), [&](int number) {
    const SharedLimit& limit = limits_[number];
    if (limit.most_jobs >= 0 && limit.jobs >= limit.most_jobs) return false;
    for (std::size_t i = 0; i < limit.most.size(); ++i) {
      if (limit.most[i] >= 0 && amounts[i] > 0 && limit.used[i] + amounts[i] > limit.most[i]) return false;
    }
    return true;
  });
}

bool QueueReplay::ready(const Row& row, ReplayTime now) const {
  if (tasks_left_[row.job] == 0 || row.eligible > now) return false;
  return !row.bound || unbound(model_.jobs[row.job]);
}

bool QueueReplay::unbound(const ReplayJob& job) const {
  if (job.array >= 0) {
    const int most = model_.arrays[job.array].most;
    if (most > 0 && array_running_[job.array] >= most) return false;
  }
  const auto over = [&](int other) { return tasks_open_[other] == 0; };
  if (!std::all_of(job.after.begin(), job.after.end(), over)) return false;
  return job.limits.empty() || within_limits(job.limits, job.amounts);
}

/// In a coarse step a start is not where the pass is, but where the pass that saw the nodes free would have been.
ReplayTime QueueReplay::dated_back(ReplayTime now, ReplayTime possible_from) const {
  if (!coarse_) return now;
  return std::clamp(std::max(possible_from, last_wake_) + model_.times.backfill_interval / 2,
                    std::min(previous_pass_ + 1, now), now);
}

void QueueReplay::start(const Row& row, ReplayTime now) {
  const ReplayJob& job = model_.jobs[row.job];
  const Shape& shape = model_.shapes[row.shape];
  int slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<int>(runs_.size());
    runs_.emplace_back();
    releases_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  Run& run = runs_[slot];
  run.job = row.job;
  ReplayTime released = 0;
  for (const int node : chosen_) released = std::max(released, timeline_.last_release(node));
  if (!job.limits.empty() || !job.after.empty()) released = std::max(released, last_limited_end_);
  const ReplayTime at = dated_back(now, std::max(released, job.eligible));
  const ReplayTime limit_end = job.limit >= never ? never : at + job.limit;
  releases_[slot] = {0, limit_end};
  for (const int node : chosen_) {
    run.nodes.push_back(node);
    releases_[slot].partitions |= node_partitions_[node];
    timeline_.hold(node, timeline_.part_for(node, shape.demand), limit_end, slot);
  }
  for (const int number : job.limits) {
    SharedLimit& limit = limits_[number];
    ++limit.jobs;
    for (std::size_t i = 0; i < limit.used.size(); ++i) limit.used[i] += job.amounts[i];
  }
  open_changed_ = true;
  if (job.array >= 0) ++array_running_[job.array];
  const int task = --tasks_left_[row.job];
  ++starts_;
  const ReplayTime length = run_time(job, task);
  events_.push({length >= never ? never : at + length, slot});
}

/// So far as a backfill pass looks, nobody who is over stands in the queue any more.
void QueueReplay::close_up() {
  const auto over = [&](int row) { return tasks_left_[component_->rows[row].job] == 0; };
  int left = component_->backfill_depth;
  std::size_t end = front_;
  while (end < active_.size() && left > 0) left -= over(active_[end++]) ? 0 : 1;
  std::size_t kept = end;
  for (std::size_t i = end; i-- > front_;) {
    if (!over(active_[i])) active_[--kept] = active_[i];
  }
  front_ = kept;
}

}  // namespace rv::planner
