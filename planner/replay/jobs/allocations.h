// The nodes that running jobs hold in a replay, from the start of each job to its end or preemption.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/jobs/trial_events.h"
#include "planner/replay/jobs/trial_run_times.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_states.h"

namespace rv::planner {

/// The nodes chosen for a job that starts, and the jobs that it preempts.
struct Selection {
  std::vector<int> nodes;
  std::vector<FreedResources> freed;  // for each of `nodes`; empty: no job is preempted
  std::vector<int> victims;           // slots of the preempted jobs

  void clear() {
    nodes.clear();
    freed.clear();
    victims.clear();
  }
};

/// When a task starts.
struct StartMoment {
  ReplayTime now = 0;  // time of the pass that starts it
  ReplayTime at = 0;   // when it begins
  int task = 0;        // its number among the tasks of the job
};

/// A job that no longer holds nodes.
struct JobEnd {
  int job = 0;
  bool is_requeued = false;  // it was preempted, and returns to the queue
};

class Allocations {
 public:
  /// Updates the nodes as jobs start and end, and adds their future ends to the events.
  Allocations(const ReplayModel& model, NodeStates& nodes, TrialEvents& events);

  /// Selects the component; call before begin().
  void enter(const Component& component);
  /// Starts a trial: jobs run as in the snapshot, to which `nodes` has been reset. `seed`: random seed of the trial.
  void begin(std::uint64_t seed);

  /// Preempts the jobs in these slots. Each ends at a random time in its grace period. Returns when the last one ends,
  /// at least `at`: the preempting job runs from then on.
  ReplayTime preempt(const std::vector<int>& victims, ReplayTime at);
  void start(const QueueEntry& entry, const Selection& selection, const StartMoment& when);
  /// Handles an end event of the slot. Returns nothing if the event belongs to an earlier job, which was preempted.
  std::optional<JobEnd> end(int slot, ReplayTime at);
  /// Makes the slot's job preemptible: its exempt time is over. Ignores an event that belongs to an earlier job.
  void end_exemption(int slot, ReplayTime at);

  const RunningJobs& running() const { return running_; }

 private:
  int group_of(const QueueEntry& entry) const;
  bool exempt(const RunningJobs::StartedJob& run, ReplayTime now) const;
  void add_end_of_exemption(int slot);
  void make_preemptible(int slot);

  const ReplayModel& model_;
  NodeStates& nodes_;
  TrialEvents& events_;
  const Component* component_ = nullptr;
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> node_partitions_;  // by node: the bits of its partitions, by number modulo 64
  RunningJobs running_;
  TrialRunTimes run_times_;
};

}  // namespace rv::planner
