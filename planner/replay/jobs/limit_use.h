// How much of each shared limit is used at one moment of a replay.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A bound on the nodes of a job: how many it may add to those that jobs under the same limits already use.
class NodeBound {
 public:
  void add(const LimitCounter& counter, std::int64_t most) {
    const std::int64_t left = std::max<std::int64_t>(0, most - counter.used[LimitCounter::node]);
    addable_ = counters_.empty() ? left : std::min(addable_, left);
    counters_.push_back(&counter);
  }
  bool empty() const { return counters_.empty(); }
  std::int64_t addable_nodes() const { return addable_; }
  /// Whether jobs under each of these limits already use the node, so that another job does not add to the count.
  bool in_use(int node) const {
    return std::all_of(counters_.begin(), counters_.end(),
                       [&](const LimitCounter* counter) { return counter->jobs_on_node[node] > 0; });
  }

 private:
  std::vector<const LimitCounter*> counters_;
  std::int64_t addable_ = 0;
};

class LimitUse {
 public:
  /// Returns to the snapshot. The model's limits must outlive this object.
  void reset(const ReplayModel& model) {
    limits_ = &model.limits;
    counters_ = model.counters;
  }

  /// Whether a job with these amounts exceeds none of these limits. For a limit on nodes this compares only the
  /// job's own number of nodes with it; node_bound() also takes the nodes of other jobs into account.
  bool leaves_room(const std::vector<int>& limits, const std::vector<std::int64_t>& amounts) const {
    return std::all_of(limits.begin(), limits.end(), [&](int number) {
      const SharedLimit& limit = (*limits_)[number];
      const LimitCounter& counter = counters_[limit.counter];
      if (limit.most_jobs >= 0 && counter.jobs >= limit.most_jobs) return false;
      for (std::size_t i = 0; i < limit.most.size(); ++i) {
        const std::int64_t used = i == LimitCounter::node ? 0 : counter.used[i];
        if (limit.most[i] >= 0 && amounts[i] > 0 && used + amounts[i] > limit.most[i]) return false;
      }
      return true;
    });
  }

  /// Returns the bound of these limits on a job's nodes; nothing if they set none.
  std::optional<NodeBound> node_bound(const std::vector<int>& limits) const {
    NodeBound bound;
    for (const int number : limits) {
      const SharedLimit& limit = (*limits_)[number];
      if (LimitCounter::node < limit.most.size() && limit.most[LimitCounter::node] >= 0) {
        bound.add(counters_[limit.counter], limit.most[LimitCounter::node]);
      }
    }
    return bound.empty() ? std::nullopt : std::optional(bound);
  }

  void take(const ReplayJob& job, std::span<const int> nodes) { change(job, nodes, 1); }
  void give_back(const ReplayJob& job, std::span<const int> nodes) { change(job, nodes, -1); }

 private:
  void change(const ReplayJob& job, std::span<const int> nodes, int sign) {
    for (const int number : job.counters) counters_[number].change(job.amounts, nodes, sign);
  }

  const std::vector<SharedLimit>* limits_ = nullptr;
  std::vector<LimitCounter> counters_;
};

}  // namespace rv::planner
