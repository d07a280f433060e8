#include "planner/replay/jobs/allocations.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {

namespace {

/// Makes the random numbers for this purpose differ from those drawn with the keys of jobs.
constexpr std::uint64_t for_victims = 0x76696374;

}  // namespace

Allocations::Allocations(const ReplayModel& model, NodeStates& nodes, TrialEvents& events)
    : model_(model), nodes_(nodes), events_(events), node_partitions_(model.nodes.size()), run_times_(model) {
  for (std::size_t i = 0; i < model.partition_nodes.size(); ++i) {
    for (const int node : model.partition_nodes[i]) node_partitions_[node] |= std::uint64_t{1} << i % 64;
  }
}

void Allocations::enter(const Component& component) {
  component_ = &component;
  run_times_.enter(component);
}

void Allocations::begin(std::uint64_t seed) {
  seed_ = seed;
  run_times_.begin(seed);
  running_.clear();
  for (const int number : component_->running) {
    const RunningJob& running = model_.running[number];
    const ReplayJob& job = model_.jobs[running.job];
    const bool taken = running.group >= 0 && model_.preemption_groups[running.group].has_preemptor;
    const int slot = running_.add(running.job, taken ? running.group : -1, -job.elapsed,
                                  job.limit >= never ? never : job.limit - job.elapsed);
    for (const JobPart& holding : running.parts) running_.add_node(slot, holding.node, node_partitions_[holding.node]);
    // No job has ended yet: a slot is an index of Component::running.
    RunningJobs::StartedJob& run = running_.at(slot);
    run.ends_at = run_times_.remaining(static_cast<std::size_t>(slot));
    events_.add_end(run.ends_at, slot);
    if (run.group < 0) continue;
    run.preemptible = !exempt(run, 0);  // and the nodes have it so
    if (!run.preemptible) add_end_of_exemption(slot);
  }
}

ReplayTime Allocations::preempt(const std::vector<int>& victims, ReplayTime at) {
  ReplayTime all_gone = at;
  for (const int slot : victims) {
    RunningJobs::StartedJob& run = running_.at(slot);
    if (!run.ending) {
      const double chance = unit_interval(mixed(seed_, mixed(model_.jobs[run.job].key, for_victims)));
      const ReplayTime grace = std::max(1, static_cast<ReplayTime>(chance * model_.preemption_groups[run.group].grace));
      // Who is over by himself before that does not go back.
      if (at + grace < run.ends_at) {
        run.ending = true;
        run.ends_at = at + grace;
        events_.add_end(run.ends_at, slot);
        running_.set_limit_end(slot, run.ends_at);
        for (const int node : run.nodes) nodes_.set_limit_end(node, slot, run.ends_at);
      }
    }
    all_gone = std::max(all_gone, run.ends_at);
  }
  return all_gone;
}

void Allocations::start(const QueueEntry& entry, const Selection& selection, const StartMoment& when) {
  const ReplayJob& job = model_.jobs[entry.job];
  const int demand = model_.shapes[entry.shape].demand;
  const ReplayTime limit_end = job.limit >= never ? never : when.at + job.limit;
  const int slot = running_.add(entry.job, group_of(entry), std::max(when.now, when.at), limit_end);
  for (std::size_t i = 0; i < selection.nodes.size(); ++i) {
    const int node = selection.nodes[i];
    running_.add_node(slot, node, node_partitions_[node]);
    nodes_.hold(node, demand, limit_end, slot, selection.freed.empty() ? nullptr : &selection.freed[i]);
  }
  RunningJobs::StartedJob& run = running_.at(slot);
  run.ends_at = std::min(run_times_.end_of(job, when.task, when.at), never);
  events_.add_end(run.ends_at, slot);
  if (run.group < 0) return;
  if (exempt(run, when.now)) {
    add_end_of_exemption(slot);
  } else {
    make_preemptible(slot);
  }
}

std::optional<JobEnd> Allocations::end(int slot, ReplayTime at) {
  const RunningJobs::StartedJob& run = running_.at(slot);
  if (run.ends_at != at) return std::nullopt;
  for (const int node : run.nodes) {
    if (run.preemptible) nodes_.remove_preemptible(node, slot, run.group);
    nodes_.release(node, slot, at);
  }
  const JobEnd ended{run.job, run.ending && model_.preemption_groups[run.group].is_requeued};
  running_.remove(slot);
  return ended;
}

void Allocations::end_exemption(int slot, ReplayTime at) {
  const RunningJobs::StartedJob& run = running_.at(slot);
  if (run.ends_at != RunningJobs::no_job && run.group >= 0 && !exempt(run, at)) make_preemptible(slot);
}

/// Of ReplayModel::preemption_groups; -1: no job can preempt this one.
int Allocations::group_of(const QueueEntry& entry) const {
  const ReplayJob& job = model_.jobs[entry.job];
  const int group = preemption_group(model_, model_.groups_are_qos ? job.qos : entry.partition, job.priority);
  return group >= 0 && model_.preemption_groups[group].has_preemptor ? group : -1;
}

bool Allocations::exempt(const RunningJobs::StartedJob& run, ReplayTime now) const {
  return now - run.began < model_.preemption_groups[run.group].exempt;
}

/// Adds the event after which the job may be preempted.
void Allocations::add_end_of_exemption(int slot) {
  const RunningJobs::StartedJob& run = running_.at(slot);
  events_.add_not_exempt(run.began + model_.preemption_groups[run.group].exempt, slot);
}

void Allocations::make_preemptible(int slot) {
  RunningJobs::StartedJob& run = running_.at(slot);
  if (run.preemptible) return;
  run.preemptible = true;
  for (const int node : run.nodes) nodes_.make_preemptible(node, slot, run.group);
}

}  // namespace rv::planner
