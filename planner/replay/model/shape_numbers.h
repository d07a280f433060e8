// Numbers the shapes of jobs. A shape is a request in a partition and the nodes that could hold it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/replay/model/left_out.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The constraints by which a job may use only some nodes of its partition.
struct NodeConstraints {
  std::string features;
  std::vector<std::string> excluded;
  std::vector<std::string> required;
  int reservation = -1;
  std::string top_switch = {};  // all nodes must be below it; empty: any
};

/// Writes `demands`, `shapes` and `places` of the model. Equal shapes get the same number, because a pass tries each
/// number once: a queue of a thousand jobs has a few dozen shapes.
class ShapeNumbers {
 public:
  /// `nodes`: numbers of nodes by name. All arguments must outlive this object.
  ShapeNumbers(const Cluster& cluster, ReplayModel& model, const std::unordered_map<std::string_view, int>& nodes,
               LeftOut& left_out);

  /// Returns the top switches above the partition's nodes; a job of several nodes has a shape for each of them. Returns
  /// one empty name if all nodes are below the same switch, or the job has one node.
  const std::vector<std::string>& islands(int partition, int nodes);

  /// Returns the number of the shape; a new shape gets the next number.
  int shape(int partition, const Demand& demand, int nodes, const NodeConstraints& filter);

 private:
  struct ShapeKey {
    int partition;
    int demand;
    int nodes;
    int filter;
    bool operator==(const ShapeKey&) const = default;
  };
  struct ShapeHash {
    std::size_t operator()(const ShapeKey& key) const;
  };

  int filter_number(const NodeConstraints& filter);
  int demand_number(const Demand& demand);
  Shape new_shape(int partition, const Demand& demand, int nodes, const NodeConstraints& filter);

  const Cluster& cluster_;
  ReplayModel& model_;
  const std::unordered_map<std::string_view, int>& node_numbers_;
  LeftOut& left_out_;
  std::unordered_map<std::string, int> filter_numbers_;
  std::map<Demand, int> demand_numbers_;
  std::unordered_map<ShapeKey, int, ShapeHash> shape_numbers_;
  std::map<std::pair<int, int>, std::vector<int>> shapes_by_request_;  // by demand and nodes; outside of reservations
  std::vector<std::vector<std::string>> islands_;                      // by partition; empty: not computed yet
};

}  // namespace rv::planner
