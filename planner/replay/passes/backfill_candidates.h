// The jobs that might start in a backfill pass, judged by the resources that were free when it began.
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
  std::size_t end = 0;  // the pass must continue up to this position of the queue for it
  int shape = 0;
  ReplayTime limit = 0;
  int reservation = -1;
  Plans plans = Plans::all;  // planned spans that it must not overlap
  int preemptor = -1;
};

/// During a pass, planned spans are only added and free resources only shrink. So the pass can end after the last
/// candidate that might still start.
class BackfillCandidates {
 public:
  BackfillCandidates(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans);

  /// Removes all candidates.
  void begin_pass();
  /// Whether enough nodes are free for the shape, or could be preempted by this preemptor (-1: only free nodes). Call
  /// it before add(), and before the pass changes anything.
  bool has_enough_nodes(int shape, int preemptor);
  /// Call it in ascending order of `end`.
  void add(const BackfillCandidate& one) { candidates_.push_back(one); }

  /// Records that a span was planned on the node.
  void note_plan(int node) {
    const std::size_t bit = nodes_.free_nodes().bit_of(node);
    if ((open_[bit / 64] >> bit % 64 & 1U) != 0) changed_ = true;
  }
  /// Records that a job started.
  void note_start() { changed_ = true; }
  /// Removes candidates from the end that can no longer start.
  void drop(ReplayTime now);

  bool empty() const { return candidates_.empty(); }
  /// Returns `end` of the last candidate.
  std::size_t end() const { return candidates_.back().end; }

 private:
  const ReplayModel& model_;
  NodeStates& nodes_;
  const NodePlans& plans_;
  PerPass<int>
      known_free_;  // by preemptor (first: none) and shape: nodes that fitted when the pass began; -1: not counted
  std::vector<BackfillCandidate> candidates_;
  NodeSet open_;          // nodes on which a candidate fitted when the pass began
  bool changed_ = false;  // one of these nodes got a planned span or a job since drop()
};

}  // namespace rv::planner
