#include "planner/replay/model/replay_builder.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/seeded_random.h"
#include "base/text.h"
#include "planner/cluster/preemption.h"
#include "planner/cluster/whole_nodes.h"
#include "planner/replay/model/unaccounted_use.h"
#include "planner/sharing/gpu_memory.h"
#include "planner/sharing/switches.h"
#include "planner/slurm_words/release.h"
#include "shared/fnv1a.h"

namespace rv::planner {

namespace {

std::vector<DatabaseName> gres_types(const Cluster& cluster) {
  std::set<DatabaseName> names;
  for (const Node& node : cluster.nodes) {
    for (const GpuPool& pool : node.gpus) names.insert(pool.type);
  }
  names.erase("");
  return {names.begin(), names.end()};
}

}  // namespace

ReplayBuilder::ReplayBuilder(const Cluster& cluster, const RunTimes& run_times)
    : cluster_(cluster),
      learned_(run_times),
      types_(gres_types(cluster)),
      limits_(cluster, types_),
      rules_(cluster),
      preemption_(cluster, model_),
      shapes_(cluster, model_, node_numbers_, left_out_) {
  for (const Qos& qos : cluster.qos) {
    if (contains(qos.flags, "NoReserve")) no_reserve_.insert(qos.name);
  }
  for (const DatabaseName& type : types_) type_numbers_.of(type);
  for (std::size_t i = 0; i < cluster.partitions.size(); ++i) {
    partition_numbers_[cluster.partitions[i].name] = static_cast<int>(i);
    model_.partitions.push_back(cluster.partitions[i].name);
  }
  model_.partition_nodes.resize(model_.partitions.size());
  add_nodes();
  add_reservations();
  add_jobs();
}

int ReplayBuilder::partition(std::string_view name) const {
  const auto found = partition_numbers_.find(name);
  return found == partition_numbers_.end() ? -1 : found->second;
}

int ReplayBuilder::gpu_type(const DatabaseName& name) {
  if (name.empty()) return any_gpu;
  return type_numbers_.of(name);
}

int ReplayBuilder::user(const DatabaseName& name) {
  return user_numbers_.of(name);
}

int ReplayBuilder::run_times(const JobKind& kind) {
  if (learned_.size() == 0) return -1;
  const RunTimes::Group group = learned_.group(kind);
  // Jobs with the same groups share a number, which depends only on the order of the jobs.
  std::uint64_t levels = 0;
  for (int i = 0; i < group.count; ++i)
    levels = mixed(levels, reinterpret_cast<std::uintptr_t>(group.levels[i].ratios));
  const int number = run_time_numbers_.of(levels);
  if (number == static_cast<int>(model_.run_times.size())) model_.run_times.push_back(group);
  return number;
}

void ReplayBuilder::add_nodes() {
  int too_many_pools = 0;
  int unlisted = 0;
  for (const Node& node : cluster_.nodes) {
    ReplayNode one;
    const auto number = static_cast<int>(model_.nodes.size());
    one.types.fill(no_gpu);
    one.total.cpus = node.cpus;
    one.total.memory = node.memory.count;
    one.free.cpus = std::max(0, node.cpus - node.cpus_used);
    one.free.memory = std::max<std::int64_t>(0, node.memory.count - node.memory_used.count);
    int pools = 0;
    for (const GpuPool& pool : node.gpus) {
      if (pool.total <= 0) continue;
      const int type = pool.type.empty() ? any_gpu : gpu_type(pool.type);
      int at = 0;
      while (at < pools && one.types[at] != type) ++at;
      if (at == most_pools) {
        ++too_many_pools;
        continue;
      }
      pools = std::max(pools, at + 1);
      one.types[at] = type;
      one.total.gpus[at] = static_cast<std::int16_t>(one.total.gpus[at] + pool.total);
      one.free.gpus[at] = static_cast<std::int16_t>(one.free.gpus[at] + std::max(0, pool.total - pool.used));
    }
    // Held until it has booted, or until its owner's last job has ended: attribute_unaccounted_use().
    if (node.state.boots_first() || node.state.reboots_first() || belongs_to_another(cluster_, node)) one.free = {};
    // A maintenance is a reservation that ends; an absence without a known end may last for ever.
    one.open = node.state.returns_by_known_time() && in_topology(cluster_, node);
    one.weight = node.weight;
    unlisted += node.state.start() == NodeStart::unlisted ? 1 : 0;
    for (const std::string& name : node.partitions) {
      if (const int partition_number = partition(name); partition_number >= 0) {
        model_.partition_nodes[partition_number].push_back(number);
      }
    }
    node_numbers_[node.name] = number;
    model_.nodes.push_back(one);
    model_.positions.push_back(number);
  }
  model_.reserved_times.resize(model_.nodes.size());
  if (unlisted > 0) left_out_.add("node* in an unknown state", unlisted);
  if (too_many_pools > 0) left_out_.add("GPU pool* after the first six of a node", too_many_pools);
}

/// True when some job of the asking user would be placed in it without naming it. To the replay such a reservation is
/// open, and closed to the jobs that it does not take.
bool ReplayBuilder::is_magnetic_for_asker(const Reservation& reservation) const {
  Reservation of_people = reservation;
  of_people.qos.clear();
  of_people.partitions.clear();
  const auto takes = [&](const DatabaseName& account) {
    return is_magnetic_for(of_people, {cluster_.user, account, "", ""}, cluster_.taken_at, std::chrono::seconds(1));
  };
  return takes("") || std::any_of(cluster_.associations.begin(), cluster_.associations.end(),
                                  [&](const Association& one) { return takes(one.account); });
}

void ReplayBuilder::exclude_closed(NodeConstraints& filter, const JobRights& job,
                                   std::optional<std::chrono::seconds> time_limit) const {
  for (const Reservation* reservation : open_reservations_) {
    if (time_limit && is_magnetic_for(*reservation, job, cluster_.taken_at, *time_limit)) continue;
    filter.excluded.insert(filter.excluded.end(), reservation->nodes.begin(), reservation->nodes.end());
  }
}

void ReplayBuilder::add_reservations() {
  for (std::size_t i = 0; i < cluster_.reservations.size(); ++i) {
    const Reservation& reservation = cluster_.reservations[i];
    if (reservation.end <= cluster_.taken_at) continue;
    if (is_magnetic_for_asker(reservation)) {
      open_reservations_.push_back(&reservation);
      continue;
    }
    const auto replay_time = [&](TimePoint when) {
      return static_cast<ReplayTime>(std::clamp<std::int64_t>((when - cluster_.taken_at).count(), -never, never));
    };
    for (const std::string& name : reservation.nodes) {
      const auto node = node_numbers_.find(name);
      if (node == node_numbers_.end()) continue;
      model_.reserved_times[node->second].push_back(
          {replay_time(reservation.start), replay_time(reservation.end), static_cast<int>(i)});
    }
  }
  for (auto& times : model_.reserved_times) {
    std::sort(times.begin(), times.end(), [](const ReservedTime& a, const ReservedTime& b) {
      return std::tie(a.begin, a.end, a.reservation) < std::tie(b.begin, b.end, b.reservation);
    });
  }
}

int ReplayBuilder::tenancy_number(const Tenancy& tenancy) {
  const auto [at, fresh] = tenancy_numbers_.try_emplace(tenancy, static_cast<int>(model_.tenancies.size()));
  if (fresh) model_.tenancies.push_back(tenancy);
  return at->second;
}

void ReplayBuilder::apply_rules(Demand& demand, int partition, const QueuedJob& job) {
  const Partition& record = cluster_.partitions[partition];
  demand.whole_node = job.exclusive || record.exclusive;
  demand.least_free_memory = memory_for_gpus(cluster_.controller, record, demand.gpus);
  if (rules_.apply_to(record)) demand.tenancy = tenancy_number(rules_.of(record, job));
  demand.choice = node_choice(record, job);
}

/// squeue does not show whether a job states the number of its tasks. rv's own jobs do. From 26.05 on --nodes=N fixes
/// that number, as far as was seen for all jobs with GPUs by node.
NodeChoice ReplayBuilder::node_choice(const Partition& partition, const QueuedJob& job) const {
  constexpr int first_that_fixes_tasks = 2605;
  const bool fixes = release_of(cluster_.controller.version) >= first_that_fixes_tasks;
  const bool known_tasks = job.id.empty() || (fixes && !job.gres_per_node.empty());
  const bool everywhere = cluster_.controller.select_type_parameters.find("CR_LLN") != std::string::npos;
  if (partition.least_loaded || everywhere)
    return fixes && known_tasks ? NodeChoice::smallest : NodeChoice::least_loaded;
  return known_tasks ? NodeChoice::first : NodeChoice::tightest;
}

Tres ReplayBuilder::in_whole_nodes_of(int partition, Tres asked, int nodes, const GpuDemand& gpus,
                                      bool over_limit) const {
  const auto has = [&](const Node& node) {
    return gpus.count == 0 || std::any_of(node.gpus.begin(), node.gpus.end(), [&](const GpuPool& pool) {
             return pool.total >= gpus.count && (gpus.type.empty() || gpus.type == DatabaseName(pool.type));
           });
  };
  const Node* chosen = nullptr;
  for (const int number : model_.partition_nodes[partition]) {
    const Node& node = cluster_.nodes[number];
    if (!has(node)) continue;
    const bool larger = chosen != nullptr && gpu_count(whole_node_tres(node)) > gpu_count(whole_node_tres(*chosen));
    if (chosen == nullptr || (over_limit && larger)) chosen = &node;
  }
  return chosen == nullptr ? asked : in_whole_nodes(std::move(asked), *chosen, nodes);
}

void ReplayBuilder::hold(const std::vector<UnavailablePart>& parts) {
  for (const UnavailablePart& held : parts) {
    ReplayJob job;
    job.key = fnv1a(cluster_.nodes[held.node].name);
    job.limit = job.known_run_time = held.span;
    const int number = add_job(std::move(job));
    model_.running.push_back({number, -1, -1, {{held.node, held.part}}});
  }
}

int ReplayBuilder::add_job(ReplayJob job) {
  model_.jobs.push_back(std::move(job));
  return static_cast<int>(model_.jobs.size()) - 1;
}

void ReplayBuilder::add_arrival(std::size_t period, ReplayTime after, ReplayJob job, Entry entry) {
  if (arrivals_.size() <= period) arrivals_.resize(period + 1);
  arrivals_[period].push_back({after, static_cast<int>(arrival_entries_.size())});
  entry.job = add_job(std::move(job));
  arrival_entries_.push_back(entry);
}

void ReplayBuilder::set_arrival_periods(std::size_t periods, ReplayTime length, std::vector<std::vector<int>> by_time) {
  arrivals_.resize(periods);
  model_.arrival_period = length;
  model_.periods_by_time = std::move(by_time);
}

ReplayModel ReplayBuilder::finish() {
  const std::vector<Entry> returning = returning_entries();
  hold(attribute_unaccounted_use(cluster_, model_));
  if (model_.nodes_of_unseen > 0)
    left_out_.add("node* held by jobs that the queue does not show", model_.nodes_of_unseen);
  if (const int unknown = dependencies_.resolve(model_.jobs); unknown > 0) {
    left_out_.add("job* waiting for others that the queue does not show", unknown);
  }
  limits_.take(model_);
  model_.users = user_numbers_.size();
  std::sort(model_.entries.begin(), model_.entries.end(), [&](const Entry& a, const Entry& b) {
    const ReplayJob& one = model_.jobs[a.job];
    const ReplayJob& other = model_.jobs[b.job];
    if (a.tier == b.tier && one.priority == other.priority && one.number == other.number) {
      return std::tie(a.partition, a.shape) < std::tie(b.partition, b.shape);
    }
    return before(a.tier, one.priority, one.number, b.tier, other.priority, other.number);
  });
  const auto first_arrival = static_cast<int>(model_.entries.size());
  model_.entries.insert(model_.entries.end(), arrival_entries_.begin(), arrival_entries_.end());
  for (auto& period : arrivals_) {
    for (Arrival& one : period) one.entry += first_arrival;
  }
  model_.arrivals = std::move(arrivals_);
  model_.returning = returning.size();
  model_.entries.insert(model_.entries.end(), returning.begin(), returning.end());
  model_.left_out = left_out_.texts();
  if (cluster_.unanswered.contains(jobs_of_others)) model_.left_out.emplace_back(jobs_of_others);
  if (cluster_.unanswered.contains(preemption_between_qos)) model_.left_out.emplace_back(preemption_between_qos);
  return std::move(model_);
}

}  // namespace rv::planner
