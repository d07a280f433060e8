#include "planner/replay/passes/backfill_pass.h"

#include <algorithm>
#include <limits>

namespace rv::planner {

namespace {

constexpr int everybody = std::numeric_limits<int>::max();

}  // namespace

BackfillPass::BackfillPass(const ReplayModel& model, ReplayState& state, NodePlans& plans, BlockedPartitions& blocked,
                           JobStarts& starts, ProbeTests& probes)
    : model_(model),
      state_(state),
      blocked_(blocked),
      starts_(starts),
      probes_(probes),
      reservations_(model, state.nodes(), state.running(), plans),
      candidates_(model, state.nodes(), plans),
      limits_(model) {}

void BackfillPass::run(ReplayTime now) {
  begin_pass();
  find_candidates(now);
  const Component& component = state_.component();
  const PendingQueue& queue = state_.queue();
  next_probe_ = 0;
  int tests = 0;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) {
    candidates_.drop(now);
    if (candidates_.empty()) return;
    const QueueEntry& row = component.rows[queue.at(i)];
    if (state_.eligibility().tasks_left(row.job) == 0) continue;
    if (probe_before(queue.at(i))) test_probes_before(queue.at(i), now);
    if (i >= candidates_.end()) return;
    if (!state_.eligibility().ready(row, now)) continue;
    if (++tests > component.backfill_depth) return;
    if (!limits_.admits(row)) continue;
    start_or_plan(row, now);
    if (starts_.exhausted()) return;
  }
  test_probes_before(everybody, now);
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
  next_probe_ = 0;
  int tests = 0;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) {
    const QueueEntry& row = component.rows[queue.at(i)];
    if (state_.eligibility().tasks_left(row.job) == 0) continue;
    if (probe_before(queue.at(i))) find_probes_before(queue.at(i), i, now);
    if (tests >= component.backfill_depth) break;
    ++tests;
    if (candidates_.has_enough_nodes(row.shape, row.taker) && state_.eligibility().ready(row, now)) {
      candidates_.add({i + 1, row.shape, row.limit, row.reservation, Plans::all, row.taker});
    }
  }
  if (tests < component.backfill_depth) find_probes_before(everybody, queue.end(), now);
}

/// `place`: the row's in the queue.
void BackfillPass::find_probes_before(int row, std::size_t place, ReplayTime now) {
  for (; probe_before(row); ++next_probe_) {
    if (!probes_.open(next_probe_, now)) continue;
    const Probe& probe = probes_.starts().probe(next_probe_);
    if (!candidates_.has_enough_nodes(probe.shape, probe.taker)) continue;
    candidates_.add({place, probe.shape, probes_.least_length(next_probe_, now), -1, Plans::of_queue, probe.taker});
  }
}

void BackfillPass::test_probes_before(int row, ReplayTime now) {
  const std::size_t first = next_probe_;
  while (probe_before(row)) probes_.test(next_probe_++, now, Plans::of_queue);
  // Strategies of one job do not stand in each other's way among themselves, only in that of jobs behind.
  if (row == everybody) return;
  for (std::size_t i = first; i < next_probe_; ++i) {
    if (!probes_.wants_plan(i)) continue;
    const Probe& probe = probes_.starts().probe(i);
    plan({probe.shape, probe.partition, probe.limits[probe.asked], -1, /*probe=*/true}, now);
  }
}

void BackfillPass::start_or_plan(const QueueEntry& row, ReplayTime now) {
  while (state_.eligibility().ready(row, now)) {
    const StartResult result = starts_.try_start(row, now, Plans::all);
    if (result == StartResult::started) {
      candidates_.note_start();
      if (starts_.exhausted()) return;
      continue;
    }
    if (result == StartResult::over_limit) return;
    if (row.priority < model_.times.least_priority || !model_.jobs[row.job].reserves) return;
    const int tasks = state_.eligibility().tasks_left(row.job);
    int plans = std::min(tasks, std::max(1, model_.times.array_reservations));
    while (plans-- > 0 && plan({row.shape, row.partition, row.limit, row.reservation, /*probe=*/false}, now)) {
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
