// The nodes on which each shape fits now. A change of a node updates the index, so no search reads all nodes.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/earliest_start_queue.h"
#include "planner/replay/nodes/node_timeline.h"

namespace rv::planner {

/// A set of a component's nodes: one bit per node, in the order of Component::nodes.
using NodeSet = std::vector<std::uint64_t>;

class FreeNodeIndex {
 public:
  FreeNodeIndex(const ReplayModel& model, const NodeTimeline& timeline);
  /// Resources that the preempting job `preemptor` could take count as free. Whenever `preemptible` changes on a node,
  /// the timeline must record a change there.
  FreeNodeIndex(const ReplayModel& model, const NodeTimeline& timeline, const PreemptibleResources& preemptible,
                int preemptor);

  /// Selects the nodes to index. The timeline must be at the snapshot.
  void enter(const std::vector<int>& nodes);
  /// The timeline has gone back to the snapshot.
  void reset();

  std::size_t words() const { return words_; }
  int node_at(std::size_t bit) const { return (*nodes_)[bit]; }
  std::size_t bit_of(int node) const { return static_cast<std::size_t>(bits_[node]); }

  /// The nodes on which the shape fits now, and their number.
  const NodeSet& free_nodes(int shape) { return up_to_date(shape).free; }
  int free_count(int shape) { return up_to_date(shape).count; }

  /// Calls `call(node)` for each node on which the shape fits now, ascending, until it returns false.
  template <typename Call>
  void each_free(int shape, const Call& call) {
    const NodeSet& set = free_nodes(shape);
    for (std::size_t word = 0; word < set.size(); ++word) {
      for (std::uint64_t left = set[word]; left != 0; left &= left - 1) {
        if (!call(node_at(word * 64 + static_cast<std::size_t>(std::countr_zero(left))))) return;
      }
    }
  }

  /// Returns the shape's places by the time at which they are free if every job, preemptible or not, runs to its limit.
  /// Later changes appear in the next call.
  EarliestStartQueue& places_by_time(int shape, ReplayTime now);

 private:
  struct OfShape {
    NodeSet all;            // the nodes of the shape's places
    std::vector<int> rank;  // by word: number of places in the words before
    NodeSet first_free;     // `free` in the snapshot
    NodeSet free;
    int first_count = 0;
    int count = 0;
    std::uint32_t trial = 0;  // the trial that `free` belongs to
    std::size_t seen = 0;     // number of changes of the timeline that `free` includes
    bool has_queue = false;
    EarliestStartQueue first_queue;  // in the snapshot
    EarliestStartQueue queue;
    std::uint32_t queue_draw = 0;
    std::size_t queue_seen = 0;
  };

  OfShape& of(int shape);
  OfShape& up_to_date(int shape) {
    OfShape& one = shapes_[shape];
    if (one.trial != trial_ || one.seen != timeline_.changes().size()) bring_up_to_date(shape);
    return one;
  }
  void bring_up_to_date(int shape);
  bool fits_now(int node, int demand) const;
  bool fitted_at_first(int node, int demand) const;
  template <typename Call>
  void each_change(const OfShape& one, std::size_t since, const Call& call);

  const ReplayModel& model_;
  const NodeTimeline& timeline_;
  const PreemptibleResources* preemptible_ = nullptr;
  int preemptor_ = -1;
  const std::vector<int>* nodes_ = nullptr;
  std::vector<int> bits_;  // by node
  std::size_t words_ = 0;
  std::uint32_t trial_ = 0;
  std::vector<OfShape> shapes_;
  NodeSet changed_;
};

}  // namespace rv::planner
