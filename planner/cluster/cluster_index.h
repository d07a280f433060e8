// An index of a cluster by GPU model and partition, made once for each plan. It points into the cluster, which must
// outlive it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::planner {

/// GPUs of one model and gres type on one node. For a CPU job, `total` is 0.
struct NodeGpus {
  const Node* node = nullptr;
  int total = 0;
  int used = 0;
  int node_gpus = 0;  // GPUs of any type, which share the node's CPUs and memory
};

/// All GPUs of one model and gres type in one partition. If the model has no name: all nodes of the partition, for CPU
/// jobs.
struct ModelInPartition {
  GpuModel model;
  std::string gres_type;
  const Partition* partition = nullptr;
  std::vector<NodeGpus> nodes;            // in the cluster's order of nodes
  std::vector<const Node*> other_models;  // nodes of the partition where the same gres request gets another model
};

struct ClusterIndex {
  const Cluster* cluster = nullptr;
  std::vector<ModelInPartition> models_in_partitions;  // by partition, then by the first node that has the model
  std::vector<ModelInPartition> cpu_partitions;        // each partition with nodes, in the cluster's order
  std::vector<GpuModel> models;  // of all nodes, also those without a partition, in the order of nodes
  std::unordered_map<std::string_view, std::vector<const Reservation*>> reservations;  // by node name

  /// An empty model finds the partition among cpu_partitions.
  const ModelInPartition* find(std::string_view partition, std::string_view model, std::string_view gres_type) const;
};

ClusterIndex index_cluster(const Cluster& cluster, const GpuCatalogue& catalogue);

}  // namespace rv::planner
