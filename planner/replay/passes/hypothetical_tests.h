// Whether the hypothetical jobs of a plan would start in a pass.
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
  /// `window_delay`: up to when HypotheticalOutcome::window counts.
  HypotheticalTests(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals,
                    ReplayTime window_delay, ReplayState& state, const PassSchedule& schedule, const NodePlans& plans,
                    const BlockedPartitions& blocked);

  /// A new trial. `chance`: the trial's.
  void begin(const Component& component, std::uint64_t chance);
  /// Records with which of its limits the hypothetical job starts now, without delaying these plans.
  void test(std::size_t place, ReplayTime now, Plans plans);
  /// Whether it still waits for the limit that it asks for, and no limit shared with others keeps it from starting.
  bool wants_plan(std::size_t place) const {
    return starts_.waits(place) && limits_leave_room(starts_.hypothetical(place));
  }
  /// Whether a start or a window of it at `now` would change its outcome.
  bool open(std::size_t place, ReplayTime now) const { return window_counts(now) || !starts_.all_started(place); }
  /// The shortest walltime with which it would count; for one that is open().
  ReplayTime least_length(std::size_t place, ReplayTime now) const {
    return window_counts(now) ? 1 : starts_.next_limit(place);
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
  std::uint64_t chance_ = 0;
};

}  // namespace rv::planner
