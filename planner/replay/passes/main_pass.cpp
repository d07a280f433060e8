#include "planner/replay/passes/main_pass.h"

#include <limits>

namespace rv::planner {

void MainPass::run(ReplayTime now) {
  blocked_.begin_pass();
  starts_.begin_pass();
  next_probe_ = 0;
  const Component& component = state_.component();
  const PendingQueue& queue = state_.queue();
  const bool overlapping = component.partitions.size() > 1;
  int blocked = 0;
  int tests = 0;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) {
    const int number = queue.at(i);
    const Row& row = component.rows[number];
    test_probes_before(number, now);
    if (blocked_.by_anybody(row.partition)) continue;
    while (state_.eligibility().ready(row, now)) {
      if (++tests > model_.times.main_depth) return;
      if (starts_.try_start(row, now, Plans::none)) continue;
      blocked_.block_by_job(row.partition);
      ++blocked;
      if (overlapping) blocked_.block_nodes_of(row.partition);
      break;
    }
    if (blocked == component.partitions_with_rows) break;
  }
  test_probes_before(std::numeric_limits<int>::max(), now);
}

void MainPass::test_probes_before(int row, ReplayTime now) {
  const Component& component = state_.component();
  for (; next_probe_ < component.probes.size() && component.probe_rows[next_probe_] <= row; ++next_probe_) {
    const int partition = probes_.starts().probe(next_probe_).partition;
    if (blocked_.by_job(partition)) continue;
    probes_.test(next_probe_, now, Plans::none);
    if (probes_.starts().waits(next_probe_)) blocked_.block_by_probe(partition);
  }
}

}  // namespace rv::planner
