// UVA's Afton as a value: every GPU type, partition and limit of its published table, two nodes of a kind.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::planner::test {

inline constexpr TimePoint noon{std::chrono::seconds(1'760'000'000)};

inline Mebibytes gb(std::int64_t count) {
  return {count * 1024};
}

inline void add_nodes(Cluster& cluster, const std::string& prefix, int count, const std::string& partition,
                      const GpuPool& pool, int cpus, std::int64_t memory_gb, std::vector<std::string> features) {
  for (int i = 1; i <= count; ++i) {
    Node node;
    node.name = prefix + "-" + std::to_string(i);
    node.state.base = "IDLE";
    if (pool.total > 0) node.gpus = {pool};
    node.cpus = cpus;
    node.memory = gb(memory_gb);
    node.features = features;
    node.partitions = {partition};
    cluster.nodes.push_back(std::move(node));
  }
}

inline Partition& add_partition(Cluster& cluster, const std::string& name) {
  Partition partition;
  partition.name = name;
  partition.up = true;
  partition.state = "UP";
  partition.max_time = std::chrono::hours(72);
  partition.max_nodes = 4;
  cluster.partitions.push_back(std::move(partition));
  return cluster.partitions.back();
}

inline void add_qos(Cluster& cluster, const std::string& name, Tres per_job = {}) {
  Qos qos;
  qos.name = name;
  qos.max_tres_per_job = std::move(per_job);
  cluster.qos.push_back(std::move(qos));
}

/// Idle, nobody waiting.
inline Cluster afton(int nodes_of_a_kind = 2) {
  Cluster cluster;
  cluster.taken_at = noon;
  cluster.user = "mst3k";
  cluster.controller.enforced = {"associations", "limits", "qos"};
  const int n = nodes_of_a_kind;
  add_nodes(cluster, "an28", n, "gpu-a6000", {"a6000", 8}, 48, 250, {"a6000"});
  add_nodes(cluster, "an33", n, "gpu-a40", {"a40", 8}, 96, 1464, {"a40"});
  add_nodes(cluster, "an34", n, "gpu-a100-40", {"a100", 8}, 128, 976, {"a100", "a100_40gb"});
  add_nodes(cluster, "an36", n, "gpu-a100-80", {"a100", 8}, 128, 1953, {"a100", "a100_80gb"});
  add_nodes(cluster, "ba33", n, "gpu-v100", {"v100", 4}, 36, 375, {"v100"});
  add_nodes(cluster, "an26", n, "interactive-rtx3090", {"rtx3090", 4}, 32, 125, {"rtx3090"});
  add_nodes(cluster, "an40", n, "gpu-h200", {"h200", 8}, 96, 2000, {"h200"});
  add_nodes(cluster, "an37", 1, "gpu-mig", {"1g.10gb", 56}, 128, 2000, {"mig"});
  add_nodes(cluster, "aw29", 2, "standard", {}, 40, 375, {});
  for (const char* name : {"gpu-a6000", "gpu-a40", "gpu-a100-40", "gpu-a100-80", "gpu-v100"}) {
    add_partition(cluster, name);
  }
  Partition& interactive = add_partition(cluster, "interactive-rtx3090");
  interactive.max_time = std::chrono::hours(12);
  interactive.qos = "int3090";
  add_partition(cluster, "gpu-h200").qos = "h200";
  Partition& mig = add_partition(cluster, "gpu-mig");
  mig.qos = "mig";
  mig.max_memory_per_cpu = Mebibytes{9000};
  add_partition(cluster, "standard").is_default = true;
  add_qos(cluster, "normal");
  add_qos(cluster, "int3090", {{"gres/gpu", 2}});
  add_qos(cluster, "h200", {{"gres/gpu", 4}});
  add_qos(cluster, "mig", {{"gres/gpu", 1}, {"cpu", 2}});
  Association lab;
  lab.account = "lab";
  lab.is_default_account = true;
  lab.default_qos = "normal";
  lab.qos = {"normal"};
  cluster.associations = {lab};
  return cluster;
}

inline GpuModel model(const std::string& name, const std::string& gres, std::int64_t vram_gb, double rate,
                      std::vector<std::string> features = {}) {
  GpuModel one;
  one.name = one.title = name;
  one.gres_types = {gres};
  one.features = std::move(features);
  one.vram = gb(vram_gb);
  one.su_per_gpu_hour = rate;
  return one;
}

/// The published rates times ten, as su_factor counts them.
inline GpuCatalogue afton_catalogue() {
  GpuCatalogue catalogue;
  catalogue.su_factor = 10;
  catalogue.models = {
      model("a6000", "a6000", 48, 14.273),
      model("a40", "a40", 48, 18.669),
      model("a100_40", "a100", 40, 46.381, {"a100_40gb"}),
      model("a100_80", "a100", 80, 50.89, {"a100_80gb"}),
      model("v100", "v100", 32, 2.096),
      model("rtx3090", "rtx3090", 24, 11.323),
      model("h200", "h200", 141, 81.667),
      model("1g.10gb", "1g.10gb", 10, 0),
  };
  catalogue.models[2].title = "A100 40 GB";
  catalogue.models[3].title = "A100 80 GB";
  catalogue.aliases = {{"a100", {"a100_80", "a100_40"}}, {"3090", {"rtx3090"}}};
  return catalogue;
}

inline Request ask(int gpus, std::chrono::seconds time = std::chrono::minutes(30)) {
  Request request;
  request.gpus = gpus;
  request.time = time;
  return request;
}

inline Partition& partition_of(Cluster& cluster, const std::string& name) {
  return *std::find_if(cluster.partitions.begin(), cluster.partitions.end(),
                       [&](const Partition& one) { return one.name == name; });
}

inline Node& node_of(Cluster& cluster, const std::string& name) {
  return *std::find_if(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& one) { return one.name == name; });
}

/// An account below `parent`, without limits.
inline Account& add_account(Cluster& cluster, const std::string& name, const std::string& parent = "") {
  Account& account = cluster.accounts.emplace_back();
  account.name = name;
  account.parent = parent;
  return account;
}

inline Qos& qos_of(Cluster& cluster, const DatabaseName& name) {
  return *std::find_if(cluster.qos.begin(), cluster.qos.end(), [&](const Qos& one) { return one.name == name; });
}

/// "a40 2x4 plain [gpu-a40]", one a strategy, in the plan's order.
inline std::vector<std::string> summary(const std::vector<Strategy>& strategies) {
  std::vector<std::string> lines;
  for (const Strategy& one : strategies) {
    std::string partitions;
    for (const std::string& name : one.partitions) partitions += (partitions.empty() ? "" : ",") + name;
    lines.push_back(one.gpu.name + " " + std::to_string(one.nodes) + "x" + std::to_string(one.gpus_per_node) + " " +
                    std::string(to_string(one.kind)) + " [" + partitions + "]");
  }
  return lines;
}

/// The reasons given for a model, "; " between them.
inline std::string reasons(const Plan& plan, const std::string& gpu_type) {
  std::string text;
  for (const Rejection& one : plan.rejected) {
    if (one.gpu_type == gpu_type) text += (text.empty() ? "" : "; ") + one.reason;
  }
  return text;
}

}  // namespace rv::planner::test
