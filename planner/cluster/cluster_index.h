// A cluster looked at by GPU model and partition, made once a plan. Points into the cluster, which must outlive it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::planner {

/// GPUs of one model and gres type on one node; for a CPU job the node with 0 GPUs to ask for.
struct NodeGpus {
  const Node* node = nullptr;
  int total = 0;
  int used = 0;
  int node_gpus = 0;  // of any type: what the node's CPUs and memory are shared among
};

/// All GPUs of one model and gres type in one partition. With a model without a name: all nodes of the partition, for
/// CPU jobs.
struct ModelInPartition {
  GpuModel model;
  std::string gres_type;
  const Partition* partition = nullptr;
  std::vector<NodeGpus> places;           // in the cluster's order of nodes
  std::vector<const Node*> other_models;  // nodes here where the same gres request would get another model
};

struct ClusterIndex {
  const Cluster* cluster = nullptr;
  std::vector<ModelInPartition> models_in_partitions;  // by partition, then by the first node that has the model
  std::vector<ModelInPartition> cpu_partitions;        // each partition with nodes, in the cluster's order
  std::vector<GpuModel> models;                        // of every node, in or out of a partition, in the order of nodes
  std::unordered_map<std::string_view, std::vector<const Reservation*>> reservations;  // by node name

  /// An empty model finds the partition among cpu_partitions.
  const ModelInPartition* find(std::string_view partition, std::string_view model, std::string_view gres_type) const;
};

ClusterIndex index_cluster(const Cluster& cluster, const GpuCatalogue& catalogue);

}  // namespace rv::planner
