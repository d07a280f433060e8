// Starts that a backfill pass plans for jobs that can't start now.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_states.h"
#include "planner/replay/passes/node_choice.h"
#include "planner/replay/passes/partition_steps.h"
#include "planner/replay/passes/per_pass.h"
#include "planner/replay/passes/request_steps.h"

namespace rv::planner {

/// A job to plan for: its nodes and its length.
struct PlanRequest {
  int shape = 0;
  int partition = 0;
  ReplayTime limit = 0;
  int reservation = -1;  // the reservation that it may use
  bool hypothetical = false;
};

/// Plans starts for such jobs: on whole nodes, assuming that running jobs use their full time limits, in steps of
/// bf_resolution, up to bf_window ahead.
class BackfillReservations {
 public:
  BackfillReservations(const ReplayModel& model, NodeStates& nodes, const RunningJobs& running, NodePlans& plans);

  /// Selects the component; call before begin().
  void enter(const Component& component) { steps_.enter(component); }
  /// Starts a trial.
  void begin() {
    steps_.reset();
    request_steps_.reset(steps_.ends_elsewhere());
  }
  /// Starts a pass without planned spans.
  void begin_pass();

  /// Adds the earliest start that delays no other plan. Returns its nodes, valid until the next call; none if there is
  /// no start within the window.
  const std::vector<int>& reserve(const PlanRequest& request, ReplayTime now);

 private:
  struct OfShape {
    ReplayTime no_plan = never + 1;       // a job with this limit or a longer one has no start in the window
    EarliestStartQueue* queue = nullptr;  // made in this pass
  };

  ReplayTime try_after(ReplayTime end, const PlanRequest& request, ReplayTime now, bool& asked);
  std::optional<ReplayTime> collect_places(EarliestStartQueue& queue, const PlanRequest& request, ReplayTime now);
  void choose_neighbours(EarliestStartQueue& queue, const PlanRequest& request, ReplayTime from);
  void add_plans(EarliestStartQueue& queue, const PlanRequest& request, ReplayTime from);

  const ReplayModel& model_;
  NodeStates& nodes_;
  const RunningJobs& running_;
  NodePlans& plans_;
  PartitionSteps steps_;
  RequestSteps request_steps_;
  std::uint32_t pass_ = 0;
  PerPass<OfShape> shapes_;
  std::vector<StartTime> collected_;
  std::vector<StartTime> candidates_;  // collected places, and others that are free by then
  std::vector<FreeNode> free_;
  NodeChooser chooser_;
  std::vector<int> planned_;  // nodes
};

}  // namespace rv::planner
