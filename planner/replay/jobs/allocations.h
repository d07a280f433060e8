// Nodes that jobs have in a replay: from a start to its end, or to its preemption.
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

/// What has been chosen for a job that is to start.
struct Selection {
  std::vector<int> nodes;
  std::vector<FreedResources> freed;  // by place in nodes; empty: no job is preempted
  std::vector<int> victims;           // slots of the preempted jobs

  void clear() {
    nodes.clear();
    freed.clear();
    victims.clear();
  }
};

/// When the job of a row begins.
struct StartMoment {
  ReplayTime now = 0;  // of the pass that starts it
  ReplayTime at = 0;   // when it began
  int task = 0;        // which of its tasks it is
};

/// A job that has given its nodes back.
struct JobEnd {
  int job = 0;
  bool is_requeued = false;  // it was preempted, and returns to the queue
};

class Allocations {
 public:
  /// Changes the nodes as jobs start and end; what is to come of them goes to the events.
  Allocations(const ReplayModel& model, NodeStates& nodes, TrialEvents& events);

  /// From now on it is about this component.
  void enter(const Component& component);
  /// A new trial: the component's jobs run as in the snapshot, on which the nodes stand. `chance`: the trial's.
  void begin(std::uint64_t chance);

  /// The jobs in these slots end at some time in their grace period. Returns when the last of them ends, at least `at`:
  /// the jobs that preempted them run from then on.
  ReplayTime preempt(const std::vector<int>& victims, ReplayTime at);
  void start(const QueueEntry& row, const Selection& selection, const StartMoment& when);
  /// An end event of the slot. Nothing where its job has ended before, by preemption.
  std::optional<JobEnd> end(int slot, ReplayTime at);
  /// The slot's job has run for as long as it may not be preempted, unless the event is of another before it.
  void end_exemption(int slot, ReplayTime at);

  const RunningJobs& running() const { return running_; }

 private:
  int group_of(const QueueEntry& row) const;
  bool exempt(const RunningJobs::StartedJob& run, ReplayTime now) const;
  void add_end_of_exemption(int slot);
  void make_preemptible(int slot);

  const ReplayModel& model_;
  NodeStates& nodes_;
  TrialEvents& events_;
  const Component* component_ = nullptr;
  std::uint64_t chance_ = 0;
  std::vector<std::uint64_t> node_partitions_;  // by node: a bit each, by number modulo 64
  RunningJobs running_;
  TrialRunTimes run_times_;
};

}  // namespace rv::planner
