// Tests whether the hypothetical jobs of a plan would start in a pass.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/hypothetical_starts.h"
#include "planner/replay/passes/pass_schedule.h"
#include "planner/replay/passes/window_search.h"

namespace rv::planner {

class HypotheticalTests {
 public:
  /// `window_delay`: the last time at which a start counts for HypotheticalOutcome::window.
  HypotheticalTests(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals,
                    ReplayTime window_delay, ReplayState& state, const PassSchedule& schedule, const NodePlans& plans,
                    const BlockedPartitions& blocked);

  /// Starts a trial. `seed`: random seed of the trial.
  void begin(const Component& component, std::uint64_t seed);
  /// Records the limits with which the hypothetical job would start now without delaying these planned spans.
  void test(std::size_t index, ReplayTime now, Plans plans);
  /// Whether the job with its requested limit still waits, and no shared limit prevents its start.
  bool wants_plan(std::size_t index) const {
    return starts_.waits(index) && limits_leave_room(starts_.hypothetical(index));
  }
  /// Whether a start at `now` could still change the job's outcome.
  bool open(std::size_t index, ReplayTime now) const { return window_counts(now) || !starts_.all_started(index); }
  /// The shortest walltime that could change the outcome. Valid only if open().
  ReplayTime least_length(std::size_t index, ReplayTime now) const {
    return window_counts(now) ? 1 : starts_.next_limit(index);
  }

  const HypotheticalStarts& starts() const { return starts_; }

 private:
  bool window_counts(ReplayTime now) const { return now <= window_delay_; }
  bool limits_leave_room(const HypotheticalJob& hypothetical) const {
    return state_.eligibility().limits_leave_room(hypothetical.shared_limits, hypothetical.amounts);
  }
  ReplayTime grace_of(const HypotheticalJob& hypothetical) const;

  const ReplayModel& model_;
  ReplayTime window_delay_;
  ReplayState& state_;
  const PassSchedule& schedule_;
  WindowSearch search_;
  HypotheticalStarts starts_;
  std::uint64_t seed_ = 0;
};

}  // namespace rv::planner
