// The cluster at one moment of a trial, and what happens there by itself: jobs arrive, end, go back to the queue.
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

  /// From now on it is about this component.
  void enter(const Component& component);
  /// A new trial, from the snapshot on. `chance`: the trial's.
  void begin(std::uint64_t chance);

  /// When something happens next; never: nothing does.
  ReplayTime next_event();
  /// All that happens up to then, that moment included.
  void apply_events(ReplayTime until);

  /// A task of the row's job starts in a pass at `now`, and is dated `at`, or when the last of its victims has gone.
  void start(const QueueEntry& row, const Selection& selection, ReplayTime now, ReplayTime at);

  /// When a job could last start for another reason than the end of a job.
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
  std::vector<int> ended_nodes_;  // of the job that ends
  ReplayTime last_wake_ = 0;
};

}  // namespace rv::planner
