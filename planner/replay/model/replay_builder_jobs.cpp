// Jobs of the queue as the replay sees them.
#include <algorithm>

#include "base/seeded_random.h"
#include "base/text.h"
#include "planner/replay/model/job_demand.h"
#include "planner/replay/model/replay_builder.h"
#include "planner/replay/model/scheduler_times.h"
#include "planner/slurm_words/job_reason.h"
#include "shared/fnv1a.h"

namespace rv::planner {

namespace {

constexpr ReplayTime completing = 5;  // epilog and clean-up of a job that is over

/// True for a reason that no scheduling ends. Of a job in several partitions Slurm names the rule of the one that it
/// tried last: add_entries() looks at each of them.
bool waits_for_a_person(const QueuedJob& job) {
  const JobReason reason = job_reason(job.reason);
  return reason.blocked() && (reason.owner != LimitOwner::partition || job.partitions.size() < 2);
}

/// What the replay has no notion of; empty: it has.
std::string unknown_cause(const QueuedJob& job) {
  if (job.part_of_het_job) return "heterogeneous job*";
  const JobReason reason = job_reason(job.reason);
  // The minutes left of running jobs go down all the time; which job fits when is not replayed.
  if (reason.limit == LimitKind::run_minutes) return "job* waiting for a limit on minutes of running jobs";
  if (reason.resource == ReasonResource::licences) return "job* waiting for licenses";
  if (reason.resource == ReasonResource::burst_buffer) return "job* waiting for a burst buffer";
  if (job.dependency.find("singleton") != std::string::npos) return "job* waiting for jobs of the same name";
  return {};
}

}  // namespace

void ReplayBuilder::add_jobs() {
  model_.times = scheduler_times(cluster_);
  for (const QueuedJob& job : cluster_.jobs) {
    if (job.state == "PENDING" && !waits_for_a_person(job)) limits_.infer_from(job);
  }
  // The order of the snapshot's list must not matter, down to the order of what ends in the same second.
  std::vector<const QueuedJob*> sorted;
  sorted.reserve(cluster_.jobs.size());
  for (const QueuedJob& job : cluster_.jobs) sorted.push_back(&job);
  std::sort(sorted.begin(), sorted.end(), [](const QueuedJob* a, const QueuedJob* b) { return a->id < b->id; });
  arrays_.emplace(sorted, model_);
  HeldGpus held = held_gpus(sorted);
  for (const QueuedJob* job : sorted) {
    if (holds_nodes(*job)) {
      add_running(*job, held);
    } else if (job->state == "PENDING" || job->state == "EXPEDITING") {
      // An expedited requeue (25.11) has no delay.
      add_pending(*job);
    }
  }
  arrays_->set_unprinted();
}

ReplayJob ReplayBuilder::job_values(const QueuedJob& job, const std::string& partition) {
  ReplayJob values;
  values.key = fnv1a(job.id);
  values.number = (base_id(job.id) << 22U) | (array_index(job.id) & 0x3fffff);
  values.priority = job.priority;
  const auto limit = job.time_limit ? job.time_limit : [&]() -> std::optional<std::chrono::seconds> {
    const Partition* in = cluster_.find_partition(partition);
    return in == nullptr ? std::nullopt : in->max_time;
  }();
  values.limit = limit ? static_cast<ReplayTime>(std::clamp<std::int64_t>(limit->count(), 1, never)) : never;
  values.tasks = std::max(1, job.array_tasks);
  values.user = user(job.user);
  values.run_times = run_times(kind_of(job));
  values.qos = preemption_.qos(job.qos);
  values.reserves = !no_reserve_.contains(job.qos);
  values.array = arrays_->of(job);
  if (job.state == "COMPLETING") return values;  // no limit counts it any more
  const SharedLimits::OfJob& limits = limits_.of(job.user, job.account, job.qos, job.partitions);
  values.counters = limits.counters;
  values.limits = limits.limits;
  if (limits.empty()) return values;
  const int in = this->partition(partition);
  const bool whole = in >= 0 && (job.exclusive || cluster_.partitions[in].exclusive) && !holds_nodes(job);
  const int nodes = std::max(job.nodes, 1);
  // Slurm checks limits after it has chosen the nodes, and chooses the same nodes in each pass.
  const bool over_limit = job_reason(job.reason).limit == LimitKind::shared;
  values.amounts =
      limits_.amounts(whole ? in_whole_nodes_of(in, job.requested, nodes, gpu_demand(job), over_limit) : job.requested,
                      nodes, job.cpus);
  return values;
}

Demand ReplayBuilder::demand_of(const QueuedJob& job) {
  Demand demand;
  demand.cpus = cpu_demand(job);
  demand.memory = memory_demand(job);
  const GpuDemand gpus = gpu_demand(job);
  if (gpus.count > 0) {
    demand.gpus = gpus.count;
    demand.gpu_type = gpu_type(gpus.type);
  }
  return demand;
}

HeldGpus ReplayBuilder::held_gpus(const std::vector<const QueuedJob*>& jobs) {
  HeldGpus held(model_.nodes);
  for (const QueuedJob* job : jobs) {
    if (!holds_nodes(*job)) continue;
    const Demand demand = demand_of(*job);
    for (const std::string& name : job->node_names) {
      if (const auto found = node_numbers_.find(name); found != node_numbers_.end()) {
        held.count_named(found->second, demand);
      }
    }
  }
  return held;
}

void ReplayBuilder::add_running(const QueuedJob& job, HeldGpus& held) {
  ++model_.queued;
  const std::string partition_name = job.partitions.empty() ? "" : job.partitions.front();
  ReplayJob values = job_values(job, partition_name);
  values.tasks = 1;
  if (job.state == "COMPLETING") {
    values.limit = values.known_run_time = completing;
  } else if (job.start) {
    values.elapsed =
        static_cast<ReplayTime>(std::clamp<std::int64_t>((cluster_.taken_at - *job.start).count(), 0, never));
  }
  RunningJob running;
  // What completes has nothing left to take.
  if (job.state != "COMPLETING") {
    const int of = model_.groups_are_qos ? values.qos : partition(partition_name);
    running.group = preemption_group(model_, of, values.priority);
  }
  if (const int in = partition(partition_name); in >= 0 && rules_.apply_to(cluster_.partitions[in])) {
    running.tenancy = tenancy_number(rules_.of(cluster_.partitions[in], job));
  }
  const Demand demand = demand_of(job);
  for (const std::string& name : job.node_names) {
    const auto found = node_numbers_.find(name);
    if (found == node_numbers_.end()) continue;
    const ReplayNode& node = model_.nodes[found->second];
    JobPart holding{found->second, {}};
    holding.part.cpus = std::min(demand.cpus, node.total.cpus);
    holding.part.memory = std::min(demand.memory, node.total.memory);
    held.take(found->second, demand, holding.part);
    running.parts.push_back(holding);
  }
  limits_.count_running(values, running.parts);
  if (values.array >= 0) ++model_.arrays[values.array].running;
  running.job = add_job(std::move(values));
  dependencies_.add_job(base_id(job.id), running.job);
  model_.running.push_back(std::move(running));
  queued_running_.push_back(&job);
}

void ReplayBuilder::add_pending(const QueuedJob& job) {
  model_.queued += std::max(1, job.array_tasks);
  if (const std::string cause = unknown_cause(job); !cause.empty()) return left_out_.add(cause, job.array_tasks);
  const std::string first = job.partitions.empty() ? "" : job.partitions.front();
  ReplayJob values = job_values(job, first);
  if (job.eligible && *job.eligible > cluster_.taken_at) {
    values.eligible =
        static_cast<ReplayTime>(std::min<std::int64_t>((*job.eligible - cluster_.taken_at).count(), never));
  }
  NodeConstraints filter{job.features, job.excluded_nodes, job.required_nodes, -1};
  if (!job.reservation.empty()) {
    const auto found = std::find_if(cluster_.reservations.begin(), cluster_.reservations.end(),
                                    [&](const Reservation& one) { return one.name == job.reservation; });
    if (found == cluster_.reservations.end()) return left_out_.add("job* with an unknown reservation", job.array_tasks);
    filter.reservation = values.reservation = static_cast<int>(found - cluster_.reservations.begin());
  }
  exclude_closed(filter, {job.user, job.account, job.qos, first}, job.time_limit);
  if (gpu_demand(job).several_types) left_out_.add("job* with several GPU types", 1);
  const int number = add_job(std::move(values));
  dependencies_.add_job(base_id(job.id), number);
  const std::size_t entries = model_.entries.size();
  if (!waits_for_a_person(job)) add_entries(job, number, filter, model_.entries);
  if (model_.entries.size() == entries) {
    dependencies_.add_never_starting(number);
    return;
  }
  if (!job.dependency.empty()) dependencies_.add_waiting(number, job.dependency);
}

/// In each of the partitions that it may start in.
void ReplayBuilder::add_entries(const QueuedJob& job, int number, const NodeConstraints& filter,
                                std::vector<Entry>& to) {
  for (const std::string& name : job.partitions) {
    const int in = partition(name);
    if (in < 0) continue;
    const Partition& record = cluster_.partitions[in];
    const bool too_long = record.max_time && model_.jobs[number].limit > record.max_time->count();
    if (!record.up || too_long || (record.max_nodes && job.nodes > *record.max_nodes)) continue;
    Demand demand = demand_of(job);
    apply_rules(demand, in, job);
    const int nodes = std::max(job.nodes, 1);
    for (const std::string& island : shapes_.islands(in, nodes)) {
      NodeConstraints narrowed = filter;
      narrowed.top_switch = island;
      to.push_back({number, shapes_.shape(in, demand, nodes, narrowed), in, record.priority_tier,
                    preemption_.preemptor(model_.jobs[number].qos, in, model_.jobs[number].priority)});
    }
  }
}

/// Returns the entries of running jobs that may be preempted and requeued.
std::vector<Entry> ReplayBuilder::returning_entries() {
  std::vector<Entry> entries;
  // A requeued job may preempt others in turn.
  for (std::size_t known = 0; known != model_.preemptors.size();) {
    known = model_.preemptors.size();
    entries.clear();
    for (std::size_t i = 0; i < queued_running_.size(); ++i) {
      const RunningJob& running = model_.running[i];
      if (running.group < 0) continue;
      const PreemptionGroup& group = model_.preemption_groups[running.group];
      if (!group.has_preemptor || !group.is_requeued) continue;
      const QueuedJob& job = *queued_running_[i];
      add_entries(job, running.job, {job.features, job.excluded_nodes, job.required_nodes, -1}, entries);
    }
  }
  return entries;
}

}  // namespace rv::planner
