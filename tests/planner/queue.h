// Small clusters with a queue, for working out by hand what comes when.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "afton.h"
#include "planner/forecast.h"

namespace rv::planner::test {

/// `nodes` nodes n0, n1, … with `gpus` V100 (gres type v100), 8 CPUs a GPU and 64 GiB a GPU, in partition "gpu".
inline Cluster queue_cluster(int nodes, int gpus) {
  Cluster cluster;
  cluster.taken_at = noon;
  cluster.user = "me";
  add_partition(cluster, "gpu").max_time = std::chrono::hours(240);
  for (int i = 0; i < nodes; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    node.state.base = "IDLE";
    node.gpus = {{"v100", gpus, 0}};
    node.cpus = 8 * gpus;
    node.memory = gb(std::int64_t{64} * gpus);
    node.partitions = {"gpu"};
    cluster.nodes.push_back(std::move(node));
  }
  return cluster;
}

inline QueuedJob job_of(const std::string& id, int nodes, int gpus_per_node, std::chrono::seconds limit) {
  QueuedJob job;
  job.id = id;
  job.user = "other";
  job.account = "lab";
  job.partitions = {"gpu"};
  job.state = "PENDING";
  job.reason = "Resources";
  job.priority = 1000;
  job.nodes = nodes;
  job.cpus = nodes * gpus_per_node;
  job.requested = {{"cpu", job.cpus}, {"node", nodes}, {"gres/gpu", std::int64_t{nodes} * gpus_per_node}};
  job.gres_per_node = "gres:gpu:v100:" + std::to_string(gpus_per_node);
  job.time_limit = limit;
  job.submitted = noon - std::chrono::hours(1);
  return job;
}

inline QueuedJob& pending(Cluster& cluster, const std::string& id, int nodes, int gpus_per_node,
                          std::chrono::seconds limit, std::int64_t priority = 1000) {
  cluster.jobs.push_back(job_of(id, nodes, gpus_per_node, limit));
  cluster.jobs.back().priority = priority;
  return cluster.jobs.back();
}

/// Runs for `ran` already; the nodes' use is kept up.
inline QueuedJob& running(Cluster& cluster, const std::string& id, const std::vector<std::string>& nodes,
                          int gpus_per_node, std::chrono::seconds limit, std::chrono::seconds ran = {}) {
  QueuedJob job = job_of(id, static_cast<int>(nodes.size()), gpus_per_node, limit);
  job.state = "RUNNING";
  job.start = noon - ran;
  job.submitted = *job.start;
  job.node_names = nodes;
  for (const std::string& name : nodes) {
    Node& node = node_of(cluster, name);
    node.gpus[0].used += gpus_per_node;
    node.cpus_used += gpus_per_node;
    node.state.base = "MIXED";
  }
  cluster.jobs.push_back(std::move(job));
  return cluster.jobs.back();
}

/// A strategy to get GPUs in partition "gpu", one CPU a GPU and no memory to speak of.
inline Strategy a_strategy(int nodes, int gpus_per_node, std::chrono::seconds limit) {
  Strategy strategy;
  strategy.gpu.name = "v100";
  strategy.gres_type = "v100";
  strategy.nodes = nodes;
  strategy.gpus_per_node = gpus_per_node;
  strategy.partitions = {"gpu"};
  strategy.time_limit = strategy.work_time = limit;
  strategy.cpus_per_node = gpus_per_node;
  return strategy;
}

inline Forecast foresee(const Cluster& cluster, const std::vector<Strategy>& strategies,
                        const ForecastInputs& inputs = {}) {
  static const GpuCatalogue catalogue = afton_catalogue();
  return forecast(index_cluster(cluster, catalogue), strategies, inputs);
}

/// Behind everybody, as a job of priority 1.
inline ForecastInputs last_in_line() {
  ForecastInputs inputs;
  inputs.priority = 1;
  inputs.priority_source = "the test";
  return inputs;
}

inline Wait wait_of(const Cluster& cluster, const Strategy& strategy, const ForecastInputs& inputs = last_in_line()) {
  const Forecast seen = foresee(cluster, {strategy}, inputs);
  return summary_of(seen.prospects.at(0).starts, seen.basis);
}

/// Median wait in seconds; -1: beyond the horizon.
inline long long median(const Cluster& cluster, const Strategy& strategy,
                        const ForecastInputs& inputs = last_in_line()) {
  const Wait wait = wait_of(cluster, strategy, inputs);
  return wait.p50 ? wait.p50->count() : -1;
}

/// True when the wait is what it should be, give or take the half minute between two backfill passes, and that between
/// two checks of time limits for each of up to three jobs ahead.
inline bool starts_at(long long wait, std::chrono::seconds expected) {
  return wait >= expected.count() && wait <= expected.count() + 31 + 3 * 34;
}

}  // namespace rv::planner::test
