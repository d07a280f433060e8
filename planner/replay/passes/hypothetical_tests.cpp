#include "planner/replay/passes/hypothetical_tests.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {

namespace {

/// Makes the random numbers for this purpose differ from those drawn with the keys of jobs.
constexpr std::uint64_t for_grace = 0x67726163;

}  // namespace

HypotheticalTests::HypotheticalTests(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals,
                                     ReplayTime window_delay, ReplayState& state, const PassSchedule& schedule,
                                     const NodePlans& plans, const BlockedPartitions& blocked)
    : model_(model),
      window_delay_(window_delay),
      state_(state),
      schedule_(schedule),
      search_(model, state.nodes(), plans, blocked),
      starts_(hypotheticals) {}

void HypotheticalTests::begin(const Component& component, std::uint64_t seed) {
  seed_ = seed;
  starts_.begin(component);
}

/// Jobs that make room end at any time in their grace.
ReplayTime HypotheticalTests::grace_of(const HypotheticalJob& hypothetical) const {
  return static_cast<ReplayTime>(unit_interval(mixed(seed_, for_grace)) *
                                 model_.preemptors[hypothetical.preemptor].grace);
}

void HypotheticalTests::test(std::size_t index, ReplayTime now, Plans plans) {
  if (!open(index, now)) return;
  const HypotheticalJob& hypothetical = starts_.hypothetical(index);
  const bool all_started = starts_.all_started(index);
  const auto bound = state_.eligibility().node_bound(hypothetical.shared_limits);
  LongestWindow window = search_.longest(hypothetical.shape, -1, now, plans, bound);
  ReplayTime grace = 0;
  if (hypothetical.preemptor >= 0 && !all_started && window.length < hypothetical.limits.back()) {
    const LongestWindow with_victims = search_.longest(hypothetical.shape, hypothetical.preemptor, now, plans, bound);
    if (with_victims.length > window.length) {
      window = with_victims;
      grace = grace_of(hypothetical);
    }
  }
  if (window.length <= 0 || !limits_leave_room(hypothetical)) return;
  if (window_counts(now)) starts_.see_window(index, window.length);
  if (all_started || starts_.next_limit(index) > window.length) return;
  ReplayTime possible_from = std::max(window.released, state_.last_wake());
  if (!hypothetical.shared_limits.empty()) possible_from = std::max(possible_from, state_.eligibility().last_freed());
  starts_.start(index, window.length, schedule_.dated_back(now, possible_from) + grace);
}

}  // namespace rv::planner
