#include "planner/past/machine.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace rv::planner {

namespace {

struct Use {
  int gpus_per_node = 1;
  std::int64_t most_at_once = 0;  // GPUs, or nodes in a log without GPUs
  std::set<std::string> partitions;
};

int per_node(const FinishedJob& job) {
  return (job.gpus + job.nodes - 1) / job.nodes;
}

/// The amounts of one GPU type that begin and end, added up by time.
std::int64_t most_at_once(std::vector<std::pair<TimePoint, std::int64_t>> changes) {
  // At one moment, ends come before starts.
  std::sort(changes.begin(), changes.end());
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return most;
}

std::map<std::string, Use> use_by_type(const JobLog& log) {
  std::map<std::string, Use> uses;
  std::map<std::string, std::vector<std::pair<TimePoint, std::int64_t>>> changes;
  for (const FinishedJob& job : log.jobs) {
    Use& use = uses[job.gpu_type];
    use.partitions.insert(job.partition);
    if (log.has_gpus) use.gpus_per_node = std::max(use.gpus_per_node, per_node(job));
    const std::int64_t amount = log.has_gpus ? job.gpus : job.nodes;
    changes[job.gpu_type].emplace_back(job.start, amount);
    changes[job.gpu_type].emplace_back(job.end, -amount);
  }
  for (auto& [type, list] : changes) uses[type].most_at_once = most_at_once(std::move(list));
  return uses;
}

void set_controller(Cluster& cluster) {
  cluster.controller.scheduler_type = "sched/backfill";
  // Logs have no priorities: jobs are in the order of submission.
  cluster.controller.priority_type = "priority/basic";
}

Node& add_node(Cluster& cluster, std::string name, int cpus) {
  Node node;
  node.name = std::move(name);
  node.state.base = "IDLE";
  node.cpus = cpus;
  return cluster.nodes.emplace_back(std::move(node));
}

Partition& add_partition(Cluster& cluster, const std::string& name) {
  Partition partition;
  partition.name = name;
  partition.up = true;
  partition.state = "UP";
  return cluster.partitions.emplace_back(std::move(partition));
}

void check_count(std::int64_t nodes) {
  if (nodes <= most_machine_nodes) return;
  throw Error("the jobs of the log used " + counted(nodes, "node") + " at once: rv simulates at most " +
                  std::to_string(most_machine_nodes),
              "check the columns of nodes and GPUs, or state the machine: --cluster 560x4", ExitCode::usage);
}

}  // namespace

Machine machine_of_log(const JobLog& log, const std::optional<MachineSize>& size) {
  Machine machine;
  set_controller(machine.cluster);
  std::set<std::string> partitions;
  std::int64_t all = 0;
  std::int64_t all_gpus = 0;
  const auto uses = use_by_type(log);
  const bool stated = uses.size() == 1 && (size || log.nodes);
  for (const auto& [type, use] : uses) {
    const int gpus = log.has_gpus ? std::max(use.gpus_per_node, size ? size->gpus_per_node : 0) : 0;
    std::int64_t count = log.has_gpus ? (use.most_at_once + gpus - 1) / gpus : use.most_at_once;
    if (stated) count = size ? size->nodes : *log.nodes;
    check_count(all + count);
    for (std::int64_t i = 0; i < count; ++i) {
      Node& node = add_node(machine.cluster, "n" + std::to_string(++all), std::max(gpus, 1));
      if (gpus > 0) node.gpus = {{type, gpus, 0}};
      node.partitions.assign(use.partitions.begin(), use.partitions.end());
      all_gpus += gpus;
    }
    partitions.insert(use.partitions.begin(), use.partitions.end());
  }
  for (const std::string& name : partitions) add_partition(machine.cluster, name);
  machine.description = counted(all, "node");
  if (all_gpus > 0) machine.description += " with " + counted(all_gpus, "GPU");
  if (!stated) machine.description += ", the most used at once";
  return machine;
}

Machine machine_of_snapshot(const JobLog& log, const Cluster& snapshot) {
  Machine machine;
  set_controller(machine.cluster);
  machine.cluster.controller.scheduler_parameters = snapshot.controller.scheduler_parameters;
  machine.cluster.controller.version = snapshot.controller.version;
  check_count(static_cast<std::int64_t>(snapshot.nodes.size()));
  for (const Node& one : snapshot.nodes) {
    int gpus = 0;
    for (const GpuPool& pool : one.gpus) gpus += std::max(pool.total, 0);
    if (log.has_gpus && gpus == 0) continue;
    Node& node = add_node(machine.cluster, one.name, log.has_gpus ? gpus : 1);
    node.partitions = one.partitions;
    node.weight = one.weight;
    if (!log.has_gpus) continue;
    node.gpus = one.gpus;
    for (GpuPool& pool : node.gpus) pool.used = 0;
  }
  for (const Partition& one : snapshot.partitions) {
    Partition& partition = add_partition(machine.cluster, one.name);
    partition.priority_tier = one.priority_tier;
    partition.max_time = one.max_time;
  }
  machine.description = counted(static_cast<long long>(machine.cluster.nodes.size()), "node") + " of the snapshot";
  return machine;
}

}  // namespace rv::planner
