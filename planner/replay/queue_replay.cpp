#include "planner/replay/queue_replay.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {

namespace {

/// A purpose of chance within a trial, apart from the jobs' own keys.
constexpr std::uint64_t for_phase = 0x70686173;

}  // namespace

QueueReplay::QueueReplay(const ReplayModel& model, const std::vector<Probe>& probes, const ReplaySettings& settings)
    : model_(model),
      probes_(probes),
      settings_(settings),
      timeline_(model),
      plans_(model),
      free_nodes_(model, timeline_),
      takeable_(model),
      node_partitions_(model.nodes.size()),
      tasks_left_(model.jobs.size()),
      tasks_open_(model.jobs.size()),
      array_running_(model.arrays.size()),
      arrivals_(model),
      run_times_(model),
      steps_(model),
      notes_(model.shapes.size() * (model.takers.size() + 1)),
      partition_blocked_(model.partitions.size()),
      partition_blocked_by_probe_(model.partitions.size()),
      node_blocked_(model.nodes.size()),
      user_pass_(static_cast<std::size_t>(model.users)),
      user_tests_(static_cast<std::size_t>(model.users)),
      partition_tests_(model.partitions.size()) {
  takeable_nodes_.reserve(model.takers.size());
  for (std::size_t i = 0; i < model.takers.size(); ++i) {
    takeable_nodes_.emplace_back(model, timeline_, takeable_, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < model.partition_nodes.size(); ++i) {
    for (const int node : model.partition_nodes[i]) node_partitions_[node] |= std::uint64_t{1} << i % 64;
  }
}

const std::vector<ProbeOutcome>& QueueReplay::run(const Component& component, int trial) {
  if (component_ != &component) enter(component);
  begin(component, trial);
  const ReplayTime interval = model_.times.backfill_interval;
  const auto phase = static_cast<ReplayTime>(unit_interval(mixed(chance_, for_phase)) * interval);
  if (model_.times.submit_delay <= 0) main_pass(0);
  ReplayTime next_pass = std::max(phase, 1);
  bool changed = true;
  if (model_.times.submit_delay > 0) events_.add_wake(model_.times.submit_delay);
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
    // Who started in a coarse step may be over in it, and its nodes taken by the next.
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
  takeable_.enter(component.nodes);
  run_times_.enter(component);
  steps_.enter(component);
  for (std::size_t i = 0; i < component.running.size(); ++i) {
    const RunningJob& running = model_.running[component.running[i]];
    const ReplayJob& job = model_.jobs[running.job];
    const ReplayTime limit_end = job.limit >= never ? never : job.limit - job.ran;
    for (const Holding& holding : running.parts) {
      timeline_.adopt(holding.node, holding.part, limit_end, static_cast<int>(i));
    }
    if (running.group < 0 || !model_.room_groups[running.group].taken) continue;
    if (job.ran < model_.room_groups[running.group].exempt) continue;
    for (const Holding& holding : running.parts) takeable_.adopt(holding.node, holding.part, running.group);
  }
  free_nodes_.enter(component.nodes);
  for (FreeNodeIndex& nodes : takeable_nodes_) nodes.enter(component.nodes);
  rows_of_jobs_.clear();
  if (model_.takers.empty()) return;
  for (std::size_t i = 0; i < component.rows.size(); ++i) {
    rows_of_jobs_.emplace_back(component.rows[i].job, static_cast<int>(i));
  }
  std::sort(rows_of_jobs_.begin(), rows_of_jobs_.end());
}

void QueueReplay::begin(const Component& component, int trial) {
  chance_ = mixed(settings_.seed, static_cast<std::uint64_t>(trial));
  timeline_.reset();
  plans_.forget();
  free_nodes_.reset();
  takeable_.reset();
  for (FreeNodeIndex& nodes : takeable_nodes_) nodes.reset();
  steps_.reset();
  run_times_.begin(chance_);
  outcomes_.assign(component.probes.size(), {});
  probe_next_.assign(component.probes.size(), 0);
  for (std::size_t i = 0; i < component.probes.size(); ++i) {
    outcomes_[i].starts.assign(probes_[component.probes[i]].limits.size(), never);
  }
  open_probes_ = component.probes.size();
  active_ = component.waiting;
  front_ = 0;
  limits_.reset(model_.limits);
  for (std::size_t i = 0; i < array_running_.size(); ++i) array_running_[i] = model_.arrays[i].running;
  events_.clear();
  running_.clear();
  previous_pass_ = 0;
  passes_ = 0;
  last_wake_ = last_limited_end_ = 0;
  coarse_ = false;
  for (const Row& row : component.rows) tasks_left_[row.job] = 0;
  for (const int number : component.waiting) {
    const Row& row = component.rows[number];
    tasks_left_[row.job] = tasks_open_[row.job] = model_.jobs[row.job].tasks;
    if (row.eligible > 0 && row.eligible < never) events_.add_wake(row.eligible);
  }
  for (const int node : component.nodes) {
    for (const Block& block : model_.blocks[node]) {
      if (block.end > 0) events_.add_wake(block.end);
    }
  }
  adopt_running();
  arrivals_.begin(component, chance_);
}

void QueueReplay::adopt_running() {
  for (const int number : component_->running) {
    const RunningJob& running = model_.running[number];
    const ReplayJob& job = model_.jobs[running.job];
    const bool taken = running.group >= 0 && model_.room_groups[running.group].taken;
    const int slot = running_.add(running.job, taken ? running.group : -1, -job.ran,
                                  job.limit >= never ? never : job.limit - job.ran);
    for (const Holding& holding : running.parts) running_.add_node(slot, holding.node, node_partitions_[holding.node]);
    tasks_left_[running.job] = 0;
    tasks_open_[running.job] = 1;
    // Nobody has ended yet: a slot is a place among the component's running jobs.
    RunningJobs::Run& run = running_.at(slot);
    run.ends_at = run_times_.remaining(static_cast<std::size_t>(slot));
    events_.add_end(run.ends_at, slot);
    if (run.group < 0) continue;
    run.takeable = !exempt(run, 0);  // and has been adopted so
    if (!run.takeable) wake_when_not_exempt(slot);
  }
}

void QueueReplay::take_arrivals(ReplayTime until) {
  while (arrivals_.next(tasks_left_) <= until) {
    const int row = arrivals_.take();
    const int job = component_->rows[row].job;
    tasks_left_[job] = tasks_open_[job] = model_.jobs[job].tasks;
    queue_up(row);
  }
}

void QueueReplay::queue_up(int row) {
  const auto first = active_.begin() + static_cast<std::ptrdiff_t>(front_);
  const auto at = std::upper_bound(first, active_.end(), row);
  // It may stand there still, over, from an earlier period or start.
  if (at != first && *(at - 1) == row) return;
  active_.insert(at, row);
}

ReplayTime QueueReplay::next_event() {
  return std::min(arrivals_.next(tasks_left_), events_.next());
}

void QueueReplay::apply_events(ReplayTime until) {
  take_arrivals(until);
  while (!events_.empty() && events_.next() <= until) {
    const TrialEvents::Event event = events_.take();
    if (event.what == TrialEvents::What::end) {
      end_run(event.number, event.at);
      continue;
    }
    last_wake_ = event.at;
    if (event.what == TrialEvents::What::back) go_back(event.number);
    if (event.what != TrialEvents::What::not_exempt) continue;
    const RunningJobs::Run& run = running_.at(event.number);
    if (run.ends_at != RunningJobs::nobody && run.group >= 0 && !exempt(run, event.at)) make_takeable(event.number);
  }
}

void QueueReplay::end_run(int slot, ReplayTime at) {
  const RunningJobs::Run& run = running_.at(slot);
  if (run.ends_at != at) return;  // preempted before
  const ReplayJob& job = model_.jobs[run.job];
  for (const int node : run.nodes) {
    if (run.takeable) takeable_.remove(node, timeline_.part_of(node, slot), run.group);
    timeline_.release(node, slot);
    timeline_.released_at(node, at);
  }
  const bool back = run.ending && model_.room_groups[run.group].goes_back;
  if (back) events_.add_back(at + model_.times.requeue_delay, run.job);
  if ((!back && --tasks_open_[run.job] == 0) || !job.limits.empty()) last_limited_end_ = at;
  if (job.array >= 0) --array_running_[job.array];
  limits_.give_back(job);
  running_.remove(slot);
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
  return job.limits.empty() || limits_.leaves_room(job.limits, job.amounts);
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
  ReplayTime released = 0;
  for (const int node : chosen_) released = std::max(released, timeline_.last_release(node));
  if (!job.limits.empty() || !job.after.empty()) released = std::max(released, last_limited_end_);
  const ReplayTime at = end_victims(dated_back(now, std::max(released, job.eligible)));
  const ReplayTime limit_end = job.limit >= never ? never : at + job.limit;
  const int slot = running_.add(row.job, group_of(row), std::max(now, at), limit_end);
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const int node = chosen_[i];
    running_.add_node(slot, node, node_partitions_[node]);
    timeline_.hold(node, timeline_.part_for(node, shape.demand, left_on(i)), limit_end, slot);
  }
  left_by_victims_.clear();
  limits_.take(job);
  open_changed_ = true;
  if (job.array >= 0) ++array_running_[job.array];
  const int task = --tasks_left_[row.job];
  ++starts_;
  const ReplayTime length = run_times_.of(job, task);
  RunningJobs::Run& run = running_.at(slot);
  run.ends_at = length >= never ? never : at + length;
  events_.add_end(run.ends_at, slot);
  if (run.group < 0) return;
  if (exempt(run, now)) {
    wake_when_not_exempt(slot);
  } else {
    make_takeable(slot);
  }
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
