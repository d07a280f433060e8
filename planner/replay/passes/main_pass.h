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
  /// Asked for each row: few are right behind a probe.
  bool probe_before(int row) const {
    const Component& component = state_.component();
    return next_probe_ < component.probes.size() && component.probe_rows[next_probe_] <= row;
  }
  void test_probe(std::size_t place, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  ProbeTests& probes_;
  std::size_t next_probe_ = 0;  // the first that this pass has not tested
};

}  // namespace rv::planner
