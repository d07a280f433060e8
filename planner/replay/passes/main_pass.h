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
  /// Asked for each row: few are right behind a hypothetical.
  bool hypothetical_before(int row) const {
    const Component& component = state_.component();
    return next_hypothetical_ < component.hypotheticals.size() &&
           component.hypothetical_rows[next_hypothetical_] <= row;
  }
  void test_hypothetical(std::size_t place, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  HypotheticalTests& hypotheticals_;
  std::size_t next_hypothetical_ = 0;  // the first that this pass has not tested
};

}  // namespace rv::planner
