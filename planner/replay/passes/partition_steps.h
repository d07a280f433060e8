// The times at which backfill tries to plan a start, for each partition of a component; computed on demand.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/model/release_steps.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class PartitionSteps {
 public:
  explicit PartitionSteps(const ReplayModel& model) : model_(model), steps_(model.partitions.size()) {}

  /// Selects the component. Jobs of other components count as in the snapshot.
  void enter(const Component& component);
  /// Starts a trial.
  void reset();

  /// Computed once per pass: the few jobs that start in the pass end late. `changes`: number of changes of the
  /// component's nodes in this trial.
  const ReleaseSteps& of(int partition, const RunningJobs& running, std::uint32_t pass, std::size_t changes);

  /// Limit ends of jobs in other components, ascending.
  const std::vector<ReplayTime>& ends_elsewhere() const { return ends_elsewhere_; }

 private:
  struct One {
    std::uint32_t pass = 0;
    std::size_t seen = never;  // changes included
    ReleaseSteps steps;
  };

  const ReplayModel& model_;
  const Component* component_ = nullptr;
  std::vector<One> steps_;                  // by partition
  std::vector<ReplayTime> ends_elsewhere_;  // by limit
  std::vector<ReplayTime> ends_;
};

}  // namespace rv::planner
