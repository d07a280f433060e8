#include "planner/replay/passes/main_pass.h"

#include <limits>

namespace rv::planner {

void MainPass::run(ReplayTime now) {
  blocked_.begin_pass();
  starts_.begin_pass();
  next_hypothetical_ = 0;
  const Component& component = state_.component();
  const PendingQueue& queue = state_.queue();
  const bool overlapping = component.partitions.size() > 1;
  int blocked = 0;
  int tests = 0;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) {
    const int number = queue.at(i);
    const QueueEntry& entry = component.entries[number];
    while (hypothetical_before(number)) test_hypothetical(next_hypothetical_++, now);
    if (blocked_.by_anybody(entry.partition)) continue;
    while (state_.eligibility().ready(entry, now)) {
      if (++tests > model_.times.main_depth) return;
      const StartResult result = starts_.try_start(entry, now, Plans::none);
      if (result == StartResult::started) continue;
      // The same job may start under another switch.
      const bool again = i + 1 < queue.end() && component.entries[queue.at(i + 1)].job == entry.job &&
                         component.entries[queue.at(i + 1)].partition == entry.partition;
      if (result == StartResult::over_limit || again) break;
      blocked_.block_by_job(entry.partition);
      ++blocked;
      if (overlapping) blocked_.block_nodes_of(entry.partition);
      break;
    }
    if (blocked == component.partitions_with_entries) break;
  }
  while (hypothetical_before(std::numeric_limits<int>::max())) test_hypothetical(next_hypothetical_++, now);
}

void MainPass::test_hypothetical(std::size_t position, ReplayTime now) {
  const int partition = hypotheticals_.starts().hypothetical(position).partition;
  if (blocked_.by_job(partition)) return;
  hypotheticals_.test(position, now, Plans::none);
  if (hypotheticals_.starts().waits(position)) blocked_.block_by_hypothetical(partition);
}

}  // namespace rv::planner
