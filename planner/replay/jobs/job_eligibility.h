// Whether a waiting job may start, apart from the nodes that it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/replay/jobs/limit_use.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Checks that tasks are left, the begin time, the jobs that the job depends on, the array's throttle and shared
/// limits.
class JobEligibility {
 public:
  explicit JobEligibility(const ReplayModel& model);

  /// Returns to the snapshot, for the jobs of this component.
  void reset(const Component& component);

  /// All tasks of the job wait from now on.
  void submit(int job) { tasks_left_[job] = tasks_open_[job] = model_.jobs[job].tasks; }
  /// A preempted task waits again.
  void requeue(int job) { ++tasks_left_[job]; }
  /// One task of the job starts on these nodes. Returns the number of tasks left, which is also the number of this
  /// task.
  int start(int job, std::span<const int> nodes = {});
  /// One task of the job on these nodes ended at `at`. `is_requeued`: it was preempted, and requeue() will follow.
  void end(int job, bool is_requeued, ReplayTime at, std::span<const int> nodes = {});

  /// Number of tasks of the job that have not started.
  int tasks_left(int job) const { return tasks_left_[job]; }
  const std::vector<int>& tasks_left() const { return tasks_left_; }

  bool ready(const QueueEntry& entry, ReplayTime now) const {
    if (tasks_left_[entry.job] == 0 || entry.eligible > now) return false;
    return !entry.bound || unbound(model_.jobs[entry.job]);
  }
  /// True if a job with these amounts exceeds none of these limits.
  bool limits_leave_room(const std::vector<int>& limits, const std::vector<std::int64_t>& amounts) const {
    return limits_.leaves_room(limits, amounts);
  }
  /// Returns the bound of these limits on the nodes of a job; nothing if they set none.
  std::optional<NodeBound> node_bound(const std::vector<int>& limits) const {
    return limits.empty() ? std::nullopt : limits_.node_bound(limits);
  }
  /// The last end of a job that others may have waited for, because of a shared limit or a dependency.
  ReplayTime last_freed() const { return last_freed_; }

 private:
  bool unbound(const ReplayJob& job) const;

  const ReplayModel& model_;
  std::vector<int> tasks_left_;     // by job: tasks that have not started
  std::vector<int> tasks_open_;     // by job: tasks that have not ended
  std::vector<int> array_running_;  // by array
  LimitUse limits_;
  ReplayTime last_freed_ = 0;
};

}  // namespace rv::planner
