// For each node, the planned spans of this scheduling pass (for waiting jobs) and the reserved times (of reservations).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A time span on a node that is planned for a waiting job.
struct Planned {
  ReplayTime begin = 0;
  ReplayTime end = 0;
  /// Planned for a hypothetical job, which delays queued jobs behind it but no other hypothetical job.
  bool hypothetical = false;
};

/// The planned spans that count: none, those of queued jobs, or also those of hypothetical jobs.
enum class Plans { none, of_queue, all };

class NodePlans {
 public:
  explicit NodePlans(const ReplayModel& model);

  void add(int node, Planned span);
  /// Starts a pass without planned spans.
  void forget();

  /// Returns the earliest start ≥ from at which a job of this length overlaps no planned span and no reserved time. The
  /// times of `reservation` are ignored.
  ReplayTime clear_from(int node, ReplayTime from, ReplayTime length, int reservation) const {
    const OfNode& one = nodes_[node];
    return one.spans < 0 && !one.has_reserved_times ? from : clear_among(one, node, from, length, reservation);
  }

  /// Returns how long a job that starts now (the time of the pass) has the node before a planned span or reserved time
  /// begins; 0 inside one.
  ReplayTime window(int node, ReplayTime now, int reservation, Plans plans) const {
    const OfNode& one = nodes_[node];
    ReplayTime until = never + now;
    if (plans == Plans::all) until = std::min(until, one.first);
    if (plans == Plans::of_queue) until = std::min(until, one.first_of_queue);
    if (one.has_reserved_times) until = std::min(until, reserved_after(node, now, reservation));
    return std::max(0, until - now);
  }

 private:
  /// All planned spans end later than now.
  struct OfNode {
    ReplayTime first = never + never;           // begin of the first span
    ReplayTime first_of_queue = never + never;  // begin of the first span of a queued job
    int spans = -1;                             // index of the first span in spans_; -1: none
    bool has_reserved_times = false;            // see ReplayModel::reserved_times
  };
  struct Span {
    ReplayTime begin = 0;
    ReplayTime end = 0;
    int next = -1;
  };

  ReplayTime clear_among(const OfNode& one, int node, ReplayTime from, ReplayTime length, int reservation) const;
  ReplayTime reserved_after(int node, ReplayTime now, int reservation) const;

  const ReplayModel& model_;
  std::vector<OfNode> nodes_;
  std::vector<Span> spans_;  // a linked list for each node, by begin
  std::vector<int> with_plans_;
};

}  // namespace rv::planner
