// Jobs of the queue as the replay sees them.
#include <algorithm>
#include <string_view>

#include "base/seeded_random.h"
#include "base/text.h"
#include "planner/replay/model/gpu_pools.h"
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

bool waits_for_its_array(const QueuedJob& job) {
  const JobReason reason = job_reason(job.reason);
  return reason.kind == ReasonClass::waits && reason.resource == ReasonResource::jobs;
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

/// Base IDs of "afterok:12(unfulfilled),afterany:13_4:14?after:15+10".
std::vector<std::int64_t> awaited(std::string_view text) {
  std::vector<std::int64_t> ids;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find_first_of(",?"));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    word = word.substr(0, word.find('('));
    std::size_t colon = word.find(':');
    while (colon != std::string_view::npos) {
      word.remove_prefix(colon + 1);
      if (const std::int64_t id = base_id(word); id > 0) ids.push_back(id);
      colon = word.find(':');
    }
  }
  return ids;
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
  for (const QueuedJob* job : sorted) {
    if (job->state != "PENDING" || job->id.find('_') == std::string::npos) continue;
    // Slurm up to 23.11 prints the last element without the throttle ("3_1"). What runs is the throttle then.
    const bool full = waits_for_its_array(*job);
    const int throttle = array_throttle(job->id);
    if (throttle <= 0 && !full) continue;
    const auto [at, fresh] = array_numbers_.try_emplace(base_id(job->id), static_cast<int>(model_.arrays.size()));
    if (fresh) model_.arrays.push_back({});
    ArrayLimit& array = model_.arrays[at->second];
    array.most = std::max(array.most, throttle);
  }
  count_held_gpus(sorted);
  for (const QueuedJob* job : sorted) {
    if (holds_nodes(*job)) {
      add_running(*job);
    } else if (job->state == "PENDING" || job->state == "EXPEDITING") {
      // An expedited requeue (25.11) has no delay.
      add_pending(*job);
    }
  }
  for (ArrayLimit& array : model_.arrays) {
    if (array.most == 0) array.most = std::max(array.running, 1);
  }
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
  if (const auto array = array_numbers_.find(base_id(job.id)); array != array_numbers_.end()) {
    values.array = array->second;
  }
  if (job.state == "COMPLETING") return values;  // no limit counts it any more
  const SharedLimits::OfJob& limits = limits_.of(job.user, job.account, job.qos, job.partitions);
  values.counters = limits.counters;
  values.limits = limits.limits;
  if (limits.empty()) return values;
  const int in = this->partition(partition);
  const bool whole = in >= 0 && (job.exclusive || cluster_.partitions[in].exclusive) && !holds_nodes(job);
  const int nodes = std::max(job.nodes, 1);
  // Slurm looks at limits once it has chosen the nodes, and chooses the same ones in each pass.
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

/// Used GPUs that no job holds which names their type: those that do not name one hold the rest, the first job the
/// first of them.
void ReplayBuilder::count_held_gpus(const std::vector<const QueuedJob*>& jobs) {
  gpus_held_.clear();
  for (const ReplayNode& node : model_.nodes) {
    gpus_held_.push_back(node.total);
    subtract(gpus_held_.back(), node.free);
  }
  for (const QueuedJob* job : jobs) {
    if (!holds_nodes(*job)) continue;
    const Demand demand = demand_of(*job);
    if (demand.gpus == 0 || demand.gpu_type == any_gpu) continue;
    for (const std::string& name : job->node_names) {
      const auto found = node_numbers_.find(name);
      if (found == node_numbers_.end()) continue;
      NodeResources& held = gpus_held_[found->second];
      NodeResources part;
      take_gpus(part, held, pools_for(model_.nodes[found->second], demand), demand.gpus);
      subtract(held, part);
    }
  }
}

void ReplayBuilder::add_running(const QueuedJob& job) {
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
    NodeResources& left = gpus_held_[found->second];
    if (demand.gpu_type == any_gpu) {
      take_gpus(holding.part, left, pools_for(node, demand), demand.gpus);
      subtract(left, holding.part);
    } else {
      NodeResources used = node.total;
      subtract(used, node.free);
      take_gpus(holding.part, used, pools_for(node, demand), demand.gpus);
    }
    running.parts.push_back(holding);
  }
  limits_.count_running(values, running.parts);
  if (values.array >= 0) ++model_.arrays[values.array].running;
  running.job = add_job(std::move(values));
  jobs_by_base_id_[base_id(job.id)].push_back(running.job);
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
  jobs_by_base_id_[base_id(job.id)].push_back(number);
  const std::size_t entries = model_.entries.size();
  if (!waits_for_a_person(job)) add_entries(job, number, filter, model_.entries);
  if (model_.entries.size() == entries) {
    never_start_.insert(number);
    return;
  }
  if (!job.dependency.empty()) dependencies_.emplace_back(number, awaited(job.dependency));
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

/// Of the running jobs that somebody may send back to the queue.
std::vector<Entry> ReplayBuilder::returning_entries() {
  std::vector<Entry> entries;
  // Who goes back may take from others in his turn.
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

void ReplayBuilder::resolve_dependencies() {
  for (auto& [job, ids] : dependencies_) {
    bool known = true;
    for (const std::int64_t id : ids) {
      const auto found = jobs_by_base_id_.find(id);
      known = known && found != jobs_by_base_id_.end();
      if (found == jobs_by_base_id_.end()) continue;
      for (const int other : found->second) {
        if (other != job) model_.jobs[job].after.push_back(other);
        if (never_start_.contains(other)) model_.jobs[job].eligible = never;
      }
    }
    if (known) continue;
    left_out_.add("job* waiting for others that the queue does not show");
    model_.jobs[job].eligible = never;
  }
}

}  // namespace rv::planner
