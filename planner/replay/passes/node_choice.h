// Slurm's choice among nodes that are free for a job.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A node's free CPUs and its number.
using FreeNode = std::pair<int, int>;

/// Follows _eval_nodes() of select/cons_tres, and _eval_nodes_lln() for a partition with LLN. Neighbouring nodes of
/// equal weight form a range. Among the ranges of the lowest weight Slurm takes the one with the fewest CPUs that
/// suffices, else the largest and then the next. A single node is the one with the fewest CPUs in its range; several
/// nodes are the first ones of it.
class NodeChooser {
 public:
  explicit NodeChooser(const ReplayModel& model) : model_(model) {}

  /// Returns the indices in `free` of `wanted` nodes, ascending. `free` is sorted by node and has at least that many.
  /// The result is valid until the next call.
  const std::vector<std::size_t>& choose(const Demand& demand, const std::vector<FreeNode>& free, std::size_t wanted);

 private:
  struct NodeRange {
    std::int64_t weight = 0;
    std::int64_t cpus = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  std::size_t tightest_of_best_range(const Demand& demand, const std::vector<FreeNode>& free) const;
  void collect_ranges(const Demand& demand, const std::vector<FreeNode>& free);
  NodeRange best_range(std::size_t wanted);
  void take_rest(const Demand& demand, const std::vector<FreeNode>& free, std::size_t wanted);
  void take(const Demand& demand, const std::vector<FreeNode>& free, const NodeRange& range, std::size_t wanted);
  void take_least_loaded(const Demand& demand, const std::vector<FreeNode>& free, std::size_t wanted);

  const ReplayModel& model_;
  std::vector<NodeRange> ranges_;
  std::vector<std::size_t> chosen_;
};

}  // namespace rv::planner
