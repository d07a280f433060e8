// The cluster at one moment of a trial, and its events: jobs arrive, end and are requeued.
#pragma once

#include <cstdint>

#include "planner/replay/jobs/allocations.h"
#include "planner/replay/jobs/job_eligibility.h"
#include "planner/replay/jobs/pending_queue.h"
#include "planner/replay/jobs/trial_arrivals.h"
#include "planner/replay/jobs/trial_events.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_states.h"

namespace rv::planner {

class ReplayState {
 public:
  explicit ReplayState(const ReplayModel& model);

  /// Selects the component; call before begin().
  void enter(const Component& component);
  /// Starts a trial from the snapshot. `seed`: random seed of the trial.
  void begin(std::uint64_t seed);

  /// Returns the time of the next event; never: there is none.
  ReplayTime next_event();
  /// Applies the events up to and including `until`.
  void apply_events(ReplayTime until);

  /// Starts a task of the entry's job in the pass at `now`. It begins at `at`, or when the last preempted job has
  /// ended.
  void start(const QueueEntry& entry, const Selection& selection, ReplayTime now, ReplayTime at);

  /// The last time at which a job became able to start for another reason than the end of a job.
  ReplayTime last_wake() const { return last_wake_; }
  const Component& component() const { return *component_; }
  NodeStates& nodes() { return nodes_; }
  PendingQueue& queue() { return queue_; }
  const JobEligibility& eligibility() const { return eligibility_; }
  const RunningJobs& running() const { return allocations_.running(); }

 private:
  void take_arrivals(ReplayTime until);
  void end_job(int slot, ReplayTime at);

  const ReplayModel& model_;
  const Component* component_ = nullptr;
  NodeStates nodes_;
  PendingQueue queue_;
  JobEligibility eligibility_;
  TrialEvents events_;
  TrialArrivals arrivals_;
  Allocations allocations_;
  std::vector<int> ended_nodes_;  // of the job that is ending
  ReplayTime last_wake_ = 0;
};

}  // namespace rv::planner
