// The main scheduling pass: the queue in order, until somebody in a partition can't start.
#pragma once

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/job_starts.h"
#include "planner/replay/passes/probe_tests.h"

namespace rv::planner {

class MainPass {
 public:
  MainPass(const ReplayModel& model, ReplayState& state, BlockedPartitions& blocked, JobStarts& starts,
           ProbeTests& probes)
      : model_(model), state_(state), blocked_(blocked), starts_(starts), probes_(probes) {}

  void run(ReplayTime now);

 private:
  void test_probes_before(int row, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  ProbeTests& probes_;
  std::size_t next_probe_ = 0;  // the first that this pass has not tested
};

}  // namespace rv::planner
