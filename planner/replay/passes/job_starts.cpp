#include "planner/replay/passes/job_starts.h"

#include <algorithm>

namespace rv::planner {

JobStarts::JobStarts(const ReplayModel& model, ReplayState& state, const PassSchedule& schedule, const NodePlans& plans,
                     const BlockedPartitions& blocked)
    : model_(model),
      state_(state),
      schedule_(schedule),
      node_selection_(model, state.nodes(), plans, blocked),
      victim_selection_(model, state.nodes(), state.running(), plans, blocked) {}

void JobStarts::begin_pass() {
  node_selection_.begin_pass();
  victim_selection_.begin_pass();
}

StartResult JobStarts::try_start(const QueueEntry& entry, ReplayTime now, Plans plans) {
  selection_.clear();
  const auto bound = state_.eligibility().node_bound(model_.jobs[entry.job].limits);
  if (!node_selection_.choose(entry, now, plans, selection_.nodes, bound) &&
      (entry.preemptor < 0 || !victim_selection_.choose(entry, now, plans, selection_))) {
    return StartResult::no_nodes;
  }
  if (bound) {
    const auto added =
        std::count_if(selection_.nodes.begin(), selection_.nodes.end(), [&](int node) { return !bound->in_use(node); });
    if (added > bound->addable_nodes()) return StartResult::over_limit;
  }
  start(entry, now);
  return StartResult::started;
}

void JobStarts::start(const QueueEntry& entry, ReplayTime now) {
  const ReplayJob& job = model_.jobs[entry.job];
  ReplayTime possible_from = std::max(job.eligible, state_.last_wake());
  for (const int node : selection_.nodes) {
    possible_from = std::max(possible_from, state_.nodes().timeline().last_release(node));
  }
  if (!job.limits.empty() || !job.after.empty()) {
    possible_from = std::max(possible_from, state_.eligibility().last_freed());
  }
  state_.start(entry, selection_, now, schedule_.dated_back(now, possible_from));
  ++started_;
}

}  // namespace rv::planner
