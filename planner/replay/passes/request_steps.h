// The steps in which backfill looks for the start of one job, by the nodes that are open to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_timeline.h"

namespace rv::planner {

/// A job that waits, and where.
struct SteppingJob {
  int partition = 0;
  int demand = 0;
  ReplayTime limit = 0;
  int reservation = -1;  // that it may use
};

/// Slurm looks for a start only among nodes on which no plan would meet a start now, and steps by the ends of the jobs
/// there (_attempt_backfill(), _will_run_test()). These are the steps of ReleaseSteps for such ends. They are made only
/// as far as they are asked for, as every plan of every pass needs others.
class RequestSteps {
 public:
  RequestSteps(const ReplayModel& model, const RunningJobs& running, const NodePlans& plans,
               const NodeTimeline& timeline)
      : model_(model), running_(running), plans_(plans), timeline_(timeline), in_partition_(model.nodes.size()) {}

  /// A new trial or component. `outside`: limit ends of jobs in other components, ascending; it must outlive the trial.
  void reset(const std::vector<ReplayTime>& outside);

  void begin_pass() { begun_ = 0; }

  /// Whether the partition has so few nodes, and so few jobs run, and so few jobs came before in this pass, that
  /// a job's own steps cost little. Among many, those of the whole partition (PartitionSteps) are nearly the same.
  bool affordable(int partition) const;

  /// From now on it is about this job, at `now`.
  void begin(const SteppingJob& job, ReplayTime now);
  /// As ReleaseSteps::try_after().
  ReplayTime try_after(ReplayTime end);

 private:
  struct Ending {
    ReplayTime limit_end = 0;
    int slot = 0;
  };

  void sort_running();
  bool open(int node) const;
  bool in_question(const Ending& one) const;
  std::size_t next_in_question(std::size_t from) const;
  void step();

  const ReplayModel& model_;
  const RunningJobs& running_;
  const NodePlans& plans_;
  const NodeTimeline& timeline_;
  const std::vector<ReplayTime>* outside_ = nullptr;
  int begun_ = 0;             // in this pass
  std::size_t seen_ = never;  // changes of the timeline
  std::vector<Ending> running_by_end_;
  std::vector<char> in_partition_;  // by node
  int partition_ = -1;
  SteppingJob job_;
  ReplayTime now_ = 0;
  std::vector<ReplayTime> tries_;  // ascending
  std::size_t next_ = 0;           // the first in running_by_end_ behind the window; its size: all steps are made
  ReplayTime window_end_ = 0;
  ReplayTime barrier_ = 0;
  ReplayTime taken_ = 0;           // the latest end that the steps have
  ReplayTime elsewhere_ = -never;  // the latest end up to the window's on nodes that are not open
};

}  // namespace rv::planner
