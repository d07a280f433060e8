#include "planner/cluster/cluster_index.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace rv::planner {

namespace {

/// Thousands of nodes share a handful of gres types and feature lists.
class Identifier {
 public:
  explicit Identifier(const GpuCatalogue& catalogue) : catalogue_(catalogue) {}

  const GpuModel& model(const Node& node, const GpuPool& pool) {
    key_ = pool.type;
    for (const std::string& feature : node.features) {
      key_ += '\n';
      key_ += feature;
    }
    const auto [at, fresh] = known_.try_emplace(key_);
    if (fresh) at->second = identify(catalogue_, node, pool);
    return at->second;
  }

 private:
  const GpuCatalogue& catalogue_;
  std::unordered_map<std::string, GpuModel> known_;
  std::string key_;
};

class Indexer {
 public:
  Indexer(const Cluster& cluster, const GpuCatalogue& catalogue) : identifier_(catalogue) {
    index_.cluster = &cluster;
    of_partitions_.resize(cluster.partitions.size());
    for (std::size_t i = 0; i < cluster.partitions.size(); ++i) partition_numbers_[cluster.partitions[i].name] = i;
  }

  void add(const Node& node) {
    int node_gpus = 0;
    for (const GpuPool& pool : node.gpus) node_gpus += pool.total;
    for (const std::string& name : node.partitions) {
      const auto number = partition_numbers_.find(name);
      if (number != partition_numbers_.end()) of_partitions_[number->second].push_back({&node, 0, 0, node_gpus});
    }
    for (const GpuPool& pool : node.gpus) {
      if (pool.total <= 0) continue;
      const GpuModel& model = identifier_.model(node, pool);
      if (model_names_.insert(model.name).second) index_.models.push_back(model);
      ModelNumbers& numbers =
          ground_numbers_.try_emplace({model.name, pool.type}, index_.cluster->partitions.size()).first->second;
      for (const std::string& name : node.partitions) {
        const auto number = partition_numbers_.find(name);
        if (number == partition_numbers_.end()) continue;
        add_node(model_in_partition(numbers, number->second, model, pool.type),
                 {&node, pool.total, pool.used, node_gpus});
      }
    }
  }

  ClusterIndex finish() {
    for (std::size_t i = 0; i < of_partitions_.size(); ++i) {
      if (of_partitions_[i].empty()) continue;
      index_.cpu_partitions.push_back({{}, "", &index_.cluster->partitions[i], std::move(of_partitions_[i]), {}});
    }
    for (const Reservation& reservation : index_.cluster->reservations) {
      for (const std::string& name : reservation.nodes) index_.reservations[name].push_back(&reservation);
    }
    std::stable_sort(index_.models_in_partitions.begin(), index_.models_in_partitions.end(),
                     [](const ModelInPartition& a, const ModelInPartition& b) { return a.partition < b.partition; });
    // Grounds of one partition now stand together.
    for (auto first = index_.models_in_partitions.begin(); first != index_.models_in_partitions.end();) {
      const auto last = std::find_if(first, index_.models_in_partitions.end(), [&](const ModelInPartition& other) {
        return other.partition != first->partition;
      });
      for (auto one = first; one != last; ++one) {
        for (auto other = first; other != last; ++other) add_other_models(*one, *other);
      }
      first = last;
    }
    return std::move(index_);
  }

 private:
  /// Place in index_.models_in_partitions by number of the partition, for one model and gres type.
  using ModelNumbers = std::vector<std::optional<std::size_t>>;

  ModelInPartition& model_in_partition(ModelNumbers& numbers, std::size_t partition, const GpuModel& model,
                                       const std::string& gres_type) {
    std::optional<std::size_t>& number = numbers[partition];
    if (!number) {
      number = index_.models_in_partitions.size();
      index_.models_in_partitions.push_back({model, gres_type, &index_.cluster->partitions[partition], {}, {}});
    }
    return index_.models_in_partitions[*number];
  }

  static void add_node(ModelInPartition& model_in_partition, const NodeGpus& node_gpus) {
    if (!model_in_partition.nodes.empty() && model_in_partition.nodes.back().node == node_gpus.node) {
      model_in_partition.nodes.back().total += node_gpus.total;
      model_in_partition.nodes.back().used += node_gpus.used;
    } else {
      model_in_partition.nodes.push_back(node_gpus);
    }
  }

  static void add_other_models(ModelInPartition& one, const ModelInPartition& other) {
    const bool same_request = one.gres_type.empty() || one.gres_type == other.gres_type;
    if (!same_request || one.model.name == other.model.name) return;
    for (const NodeGpus& node_gpus : other.nodes) one.other_models.push_back(node_gpus.node);
  }

  ClusterIndex index_;
  Identifier identifier_;
  std::unordered_map<std::string_view, std::size_t> partition_numbers_;
  std::vector<std::vector<NodeGpus>> of_partitions_;                            // by number of the partition: its nodes
  std::map<std::pair<std::string, std::string>, ModelNumbers> ground_numbers_;  // by model and gres type
  std::unordered_set<std::string> model_names_;
};

}  // namespace

const ModelInPartition* ClusterIndex::find(std::string_view partition, std::string_view model,
                                           std::string_view gres_type) const {
  const auto& all = model.empty() ? cpu_partitions : models_in_partitions;
  const auto found = std::find_if(all.begin(), all.end(), [&](const ModelInPartition& one) {
    return one.partition->name == partition && one.model.name == model && one.gres_type == gres_type;
  });
  return found == all.end() ? nullptr : &*found;
}

ClusterIndex index_cluster(const Cluster& cluster, const GpuCatalogue& catalogue) {
  Indexer indexer(cluster, catalogue);
  for (const Node& node : cluster.nodes) indexer.add(node);
  return indexer.finish();
}

}  // namespace rv::planner
