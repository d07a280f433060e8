#include "planner/replay/passes/backfill_pass.h"

#include <algorithm>
#include <limits>

namespace rv::planner {

namespace {

constexpr int everybody = std::numeric_limits<int>::max();

}  // namespace

BackfillPass::BackfillPass(const ReplayModel& model, ReplayState& state, NodePlans& plans, BlockedPartitions& blocked,
                           JobStarts& starts, HypotheticalTests& hypotheticals)
    : model_(model),
      state_(state),
      blocked_(blocked),
      starts_(starts),
      hypotheticals_(hypotheticals),
      reservations_(model, state.nodes(), state.running(), plans),
      candidates_(model, state.nodes(), plans),
      limits_(model) {}

void BackfillPass::run(ReplayTime now) {
  begin_pass();
  find_candidates(now);
  const Component& component = state_.component();
  const PendingQueue& queue = state_.queue();
  next_hypothetical_ = 0;
  int tests = 0;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) {
    candidates_.drop(now);
    if (candidates_.empty()) return;
    const QueueEntry& entry = component.entries[queue.at(i)];
    if (state_.eligibility().tasks_left(entry.job) == 0) continue;
    if (hypothetical_before(queue.at(i))) test_hypotheticals_before(queue.at(i), now);
    if (i >= candidates_.end()) return;
    if (!state_.eligibility().ready(entry, now)) continue;
    if (++tests > component.backfill_depth) return;
    if (!limits_.admits(entry)) continue;
    start_or_plan(entry, now);
    if (starts_.exhausted()) return;
  }
  test_hypotheticals_before(everybody, now);
}

void BackfillPass::begin_pass() {
  blocked_.begin_pass();
  starts_.begin_pass();
  reservations_.begin_pass();
  candidates_.begin_pass();
  limits_.begin_pass();
  state_.queue().remove_finished(state_.eligibility().tasks_left(), state_.component().backfill_depth);
}

/// By what is free now.
void BackfillPass::find_candidates(ReplayTime now) {
  const Component& component = state_.component();
  const PendingQueue& queue = state_.queue();
  next_hypothetical_ = 0;
  int tests = 0;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) {
    const QueueEntry& entry = component.entries[queue.at(i)];
    if (state_.eligibility().tasks_left(entry.job) == 0) continue;
    if (hypothetical_before(queue.at(i))) find_hypotheticals_before(queue.at(i), i, now);
    if (tests >= component.backfill_depth) break;
    ++tests;
    if (candidates_.has_enough_nodes(entry.shape, entry.preemptor) && state_.eligibility().ready(entry, now)) {
      candidates_.add({i + 1, entry.shape, entry.limit, entry.reservation, Plans::all, entry.preemptor});
    }
  }
  if (tests < component.backfill_depth) find_hypotheticals_before(everybody, queue.end(), now);
}

/// `position`: the entry's in the queue.
void BackfillPass::find_hypotheticals_before(int entry, std::size_t position, ReplayTime now) {
  for (; hypothetical_before(entry); ++next_hypothetical_) {
    if (!hypotheticals_.open(next_hypothetical_, now)) continue;
    const HypotheticalJob& hypothetical = hypotheticals_.starts().hypothetical(next_hypothetical_);
    if (!candidates_.has_enough_nodes(hypothetical.shape, hypothetical.preemptor)) continue;
    candidates_.add({position, hypothetical.shape, hypotheticals_.least_length(next_hypothetical_, now), -1,
                     Plans::of_queue, hypothetical.preemptor});
  }
}

void BackfillPass::test_hypotheticals_before(int entry, ReplayTime now) {
  const std::size_t first = next_hypothetical_;
  while (hypothetical_before(entry)) hypotheticals_.test(next_hypothetical_++, now, Plans::of_queue);
  // Strategies of one job do not stand in each other's way among themselves, only in that of jobs behind.
  if (entry == everybody) return;
  for (std::size_t i = first; i < next_hypothetical_; ++i) {
    if (!hypotheticals_.wants_plan(i)) continue;
    const HypotheticalJob& hypothetical = hypotheticals_.starts().hypothetical(i);
    plan({hypothetical.shape, hypothetical.partition, hypothetical.limits[hypothetical.asked], -1,
          /*hypothetical=*/true},
         now);
  }
}

void BackfillPass::start_or_plan(const QueueEntry& entry, ReplayTime now) {
  while (state_.eligibility().ready(entry, now)) {
    const StartResult result = starts_.try_start(entry, now, Plans::all);
    if (result == StartResult::started) {
      candidates_.note_start();
      if (starts_.exhausted()) return;
      continue;
    }
    if (result == StartResult::over_limit) return;
    if (entry.priority < model_.times.least_priority || !model_.jobs[entry.job].reserves) return;
    const int tasks = state_.eligibility().tasks_left(entry.job);
    int plans = std::min(tasks, std::max(1, model_.times.array_reservations));
    while (plans-- > 0 &&
           plan({entry.shape, entry.partition, entry.limit, entry.reservation, /*hypothetical=*/false}, now)) {
    }
    return;
  }
}

bool BackfillPass::plan(const PlanRequest& request, ReplayTime now) {
  const std::vector<int>& nodes = reservations_.reserve(request, now);
  for (const int node : nodes) candidates_.note_plan(node);
  return !nodes.empty();
}

}  // namespace rv::planner
