// The times at which backfill tries to plan the start of one job, computed from the nodes that it may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_timeline.h"

namespace rv::planner {

/// A waiting job in one of its partitions.
struct SteppingJob {
  int partition = 0;
  int demand = 0;
  ReplayTime limit = 0;
  int reservation = -1;  // the reservation that it may use
};

/// Slurm searches only nodes on which a start now would overlap no planned span, and steps by the ends of the jobs
/// there (_attempt_backfill(), _will_run_test()). This class computes the steps of ReleaseSteps for such ends. It
/// computes only the steps that are requested, because every planned start of every pass needs different ones. A
/// relevant job is one on these nodes.
class RequestSteps {
 public:
  RequestSteps(const ReplayModel& model, const RunningJobs& running, const NodePlans& plans,
               const NodeTimeline& timeline)
      : model_(model), running_(running), plans_(plans), timeline_(timeline), in_partition_(model.nodes.size()) {}

  /// Starts a trial. `outside`: limit ends of jobs in other components, ascending; must outlive the trial.
  void reset(const std::vector<ReplayTime>& outside);

  void begin_pass() { begun_ = 0; }

  /// Whether a job's own steps are cheap to compute: few nodes in the partition, few running jobs, and few earlier
  /// calls of begin() in this pass. With many, the steps of the whole partition (PartitionSteps) are nearly the same.
  bool affordable(int partition) const;

  /// Selects the job, at time `now`.
  void begin(const SteppingJob& job, ReplayTime now);
  /// See ReleaseSteps::try_after().
  ReplayTime try_after(ReplayTime end);

 private:
  struct Ending {
    ReplayTime limit_end = 0;
    int slot = 0;
  };

  void sort_running();
  bool open(int node) const;
  bool is_relevant(const Ending& ending) const;
  std::size_t next_relevant(std::size_t from) const;
  void step();

  const ReplayModel& model_;
  const RunningJobs& running_;
  const NodePlans& plans_;
  const NodeTimeline& timeline_;
  const std::vector<ReplayTime>* outside_ = nullptr;
  int begun_ = 0;             // calls of begin() in this pass
  std::size_t seen_ = never;  // changes of the timeline included
  std::vector<Ending> running_by_end_;
  std::vector<char> in_partition_;  // by node
  int partition_ = -1;
  SteppingJob job_;
  ReplayTime now_ = 0;
  std::vector<ReplayTime> tries_;  // ascending
  std::size_t next_ = 0;           // the first in running_by_end_ behind the window; its size: all steps are computed
  ReplayTime window_end_ = 0;
  ReplayTime barrier_ = 0;
  ReplayTime taken_ = 0;           // the latest end that the steps include
  ReplayTime elsewhere_ = -never;  // the latest end within the window on other nodes
};

}  // namespace rv::planner
