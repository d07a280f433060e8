// The main scheduling pass: starts jobs in order, in each partition until one can't start.
#pragma once

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/hypothetical_tests.h"
#include "planner/replay/passes/job_starts.h"

namespace rv::planner {

class MainPass {
 public:
  MainPass(const ReplayModel& model, ReplayState& state, BlockedPartitions& blocked, JobStarts& starts,
           HypotheticalTests& hypotheticals)
      : model_(model), state_(state), blocked_(blocked), starts_(starts), hypotheticals_(hypotheticals) {}

  void run(ReplayTime now);

 private:
  /// Inline because it is called for each entry; few entries are right behind a hypothetical job.
  bool hypothetical_before(int entry) const {
    const Component& component = state_.component();
    return next_hypothetical_ < component.hypotheticals.size() &&
           component.hypothetical_entries[next_hypothetical_] <= entry;
  }
  void test_hypothetical(std::size_t position, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  HypotheticalTests& hypotheticals_;
  std::size_t next_hypothetical_ = 0;  // the first that this pass has not tested
};

}  // namespace rv::planner
