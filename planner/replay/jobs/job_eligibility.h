// Whether a waiting job may start, as far as that hangs on no node.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/replay/jobs/limit_use.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Its tasks that are left, its begin time, the jobs that it depends on, its array's throttle, the limits that it
/// shares with others.
class JobEligibility {
 public:
  explicit JobEligibility(const ReplayModel& model);

  /// As in the snapshot, for the jobs of this component.
  void reset(const Component& component);

  /// All of the job's tasks wait from now on.
  void submit(int job) { tasks_left_[job] = tasks_open_[job] = model_.jobs[job].tasks; }
  /// A task that was preempted waits again.
  void requeue(int job) { ++tasks_left_[job]; }
  /// One of the job's tasks starts on these nodes. Returns how many are left, which is the number of this one.
  int start(int job, std::span<const int> nodes = {});
  /// One of its tasks on these nodes has ended at `at`. `is_requeued`: it was preempted, and requeue() will follow.
  void end(int job, bool is_requeued, ReplayTime at, std::span<const int> nodes = {});

  /// Tasks of the job that have not started.
  int tasks_left(int job) const { return tasks_left_[job]; }
  const std::vector<int>& tasks_left() const { return tasks_left_; }

  bool ready(const QueueEntry& row, ReplayTime now) const {
    if (tasks_left_[row.job] == 0 || row.eligible > now) return false;
    return !row.bound || unbound(model_.jobs[row.job]);
  }
  /// True when a job with these amounts keeps within all of these limits.
  bool limits_leave_room(const std::vector<int>& limits, const std::vector<std::int64_t>& amounts) const {
    return limits_.leaves_room(limits, amounts);
  }
  /// The bound of these limits on the nodes of a job; nothing where they set none.
  std::optional<NodeBound> node_bound(const std::vector<int>& limits) const {
    return limits.empty() ? std::nullopt : limits_.node_bound(limits);
  }
  /// When a job last ended for which others may have waited: for a limit that it counted in, or for its being over.
  ReplayTime last_freed() const { return last_freed_; }

 private:
  bool unbound(const ReplayJob& job) const;

  const ReplayModel& model_;
  std::vector<int> tasks_left_;     // by job: not started
  std::vector<int> tasks_open_;     // by job: not over
  std::vector<int> array_running_;  // by array
  LimitUse limits_;
  ReplayTime last_freed_ = 0;
};

}  // namespace rv::planner
