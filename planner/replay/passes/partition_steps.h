// The steps in which Slurm looks ahead, for each partition of a component: made when a pass asks for them.
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

  /// From now on it is about this component. Jobs of others count as they are in the snapshot.
  void enter(const Component& component);
  /// A new trial of it.
  void reset();

  /// Made once a pass: the few that start in it end late. `changes`: how often a node of the component has changed in
  /// this trial.
  const ReleaseSteps& of(int partition, const RunningJobs& running, std::uint32_t pass, std::size_t changes);

  /// Limit ends of jobs in other components, ascending.
  const std::vector<ReplayTime>& ends_elsewhere() const { return ends_elsewhere_; }

 private:
  struct One {
    std::uint32_t pass = 0;
    std::size_t seen = never;  // changes
    ReleaseSteps steps;
  };

  const ReplayModel& model_;
  const Component* component_ = nullptr;
  std::vector<One> steps_;                  // by partition
  std::vector<ReplayTime> ends_elsewhere_;  // by limit
  std::vector<ReplayTime> ends_;
};

}  // namespace rv::planner
