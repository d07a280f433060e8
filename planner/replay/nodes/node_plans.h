// For each node, the time spans that this scheduling pass has promised to waiting jobs, and the reserved times: spans
// that reservations keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A time span on a node that is promised to a waiting job.
struct Planned {
  ReplayTime begin = 0;
  ReplayTime end = 0;
  /// Promised to a hypothetical job, which delays queued jobs behind it but no other hypothetical job.
  bool hypothetical = false;
};

/// Whose plans count.
enum class Plans { none, of_queue, all };

class NodePlans {
 public:
  explicit NodePlans(const ReplayModel& model);

  void add(int node, Planned span);
  /// A new pass: nothing is planned.
  void forget();

  /// The earliest start ≥ from at which a job of this length overlaps no promised span and no block. Blocks of
  /// `reservation` are ignored.
  ReplayTime clear_from(int node, ReplayTime from, ReplayTime length, int reservation) const {
    const OfNode& one = nodes_[node];
    return one.spans < 0 && !one.has_reserved_times ? from : clear_among(one, node, from, length, reservation);
  }

  /// How long a job that starts now (the time of the pass) would have the node before a plan or block begins; 0 inside
  /// one.
  ReplayTime window(int node, ReplayTime now, int reservation, Plans plans) const {
    const OfNode& one = nodes_[node];
    ReplayTime until = never + now;
    if (plans == Plans::all) until = std::min(until, one.first);
    if (plans == Plans::of_queue) until = std::min(until, one.first_of_queue);
    if (one.has_reserved_times) until = std::min(until, block_after(node, now, reservation));
    return std::max(0, until - now);
  }

 private:
  /// All of what is planned ends later than now.
  struct OfNode {
    ReplayTime first = never + never;           // begin
    ReplayTime first_of_queue = never + never;  // begin of a job that is not a hypothetical job
    int spans = -1;                             // the first by begin, in spans_; -1: none
    bool has_reserved_times = false;            // see ReplayModel::reserved_times
  };
  struct Span {
    ReplayTime begin = 0;
    ReplayTime end = 0;
    int next = -1;
  };

  ReplayTime clear_among(const OfNode& one, int node, ReplayTime from, ReplayTime length, int reservation) const;
  ReplayTime block_after(int node, ReplayTime now, int reservation) const;

  const ReplayModel& model_;
  std::vector<OfNode> nodes_;
  std::vector<Span> spans_;  // of all nodes, each chained by begin
  std::vector<int> with_plans_;
};

}  // namespace rv::planner
