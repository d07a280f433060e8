// The jobs that might start in a backfill pass, by what was free when it began.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_states.h"
#include "planner/replay/passes/per_pass.h"

namespace rv::planner {

/// An entry or hypothetical job that might start.
struct BackfillCandidate {
  std::size_t end = 0;  // the pass has to go on to this place of the queue for it
  int shape = 0;
  ReplayTime limit = 0;
  int reservation = -1;
  Plans plans = Plans::all;  // that it must not meet
  int preemptor = -1;
};

/// During a pass, plans are only added and free resources only shrink. So no plans are needed behind the last
/// candidate that might still start.
class BackfillCandidates {
 public:
  BackfillCandidates(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans);

  /// There are none yet.
  void begin_pass();
  /// Whether the shape finds enough nodes that are free or that the preemptor could have (-1: free ones). To be asked
  /// before add(), and before the pass changes anything.
  bool has_enough_nodes(int shape, int preemptor);
  /// In the order of their ends.
  void add(const BackfillCandidate& one) { candidates_.push_back(one); }

  /// Something was planned on the node.
  void note_plan(int node) {
    const std::size_t bit = nodes_.free_nodes().bit_of(node);
    if ((open_[bit / 64] >> bit % 64 & 1U) != 0) changed_ = true;
  }
  /// A job has started.
  void note_start() { changed_ = true; }
  /// Removes candidates from the end that can no longer start.
  void drop(ReplayTime now);

  bool empty() const { return candidates_.empty(); }
  /// Of the last one.
  std::size_t end() const { return candidates_.back().end; }

 private:
  const ReplayModel& model_;
  NodeStates& nodes_;
  const NodePlans& plans_;
  PerPass<int>
      known_free_;  // by preemptor (first: none) and shape: nodes with room when the pass began; -1: not counted
  std::vector<BackfillCandidate> candidates_;
  NodeSet open_;          // nodes with room for one of them when the pass began
  bool changed_ = false;  // a plan or a job has come upon one of these since drop()
};

}  // namespace rv::planner
