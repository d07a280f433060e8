// The jobs on each node at one moment of a replay, and when their resources are free if each job runs to its limit.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/preemptible_resources.h"
#include "planner/sharing/tenancy.h"

namespace rv::planner {

class NodeTimeline {
 public:
  explicit NodeTimeline(const ReplayModel& model);

  /// Selects the nodes; call before adopt().
  void enter(const std::vector<int>& nodes);
  /// Adds a job of the snapshot, whose part already counts as used. `limit_end`: when Slurm expects the job to end;
  /// `job`: any number that identifies it; `tenancy`: as in Demand.
  void adopt(int node, const NodeResources& part, ReplayTime limit_end, int job, int tenancy = -1);
  /// Returns to the snapshot, with the adopted jobs.
  void reset();

  /// True if the demand fits into the free resources of the node.
  bool fits_now(int node, int demand) const { return fits_now(states_[node], node, demand); }
  /// The same in the snapshot.
  bool fitted_at_first(int node, int demand) const { return fits_now(first_[node], node, demand); }

  /// True if the demand fits once the jobs in `gone` have ended.
  bool fits_without(int node, int demand, const FreedResources& gone) const {
    return fits_without(states_[node], node, demand, gone);
  }
  /// The same in the snapshot.
  bool fitted_without_at_first(int node, int demand, const FreedResources& gone) const {
    return fits_without(first_[node], node, demand, gone);
  }

  /// Returns the part of the node that a job with this demand gets, after the jobs in `gone` have ended.
  NodeResources part_for(int node, int demand, const FreedResources* gone = nullptr) const;

  /// Adds a job that starts now; parameters as in adopt(). If preempted jobs still hold the part, the free resources
  /// are negative until they end.
  void hold(int node, const NodeResources& part, ReplayTime limit_end, int job, int tenancy = -1);
  void release(int node, int job);
  /// Changes the time at which the job is expected to end.
  void set_limit_end(int node, int job, ReplayTime end);
  /// Adds the node to changes(), for a change outside of this class.
  void touch(int node) { changes_.push_back(node); }

  /// Calls `call(job, part)` for each job on the node.
  template <typename Call>
  void each_tenant(int node, const Call& call) const {
    for (const Tenant& one : states_[node].tenants) call(one.job, one.part);
  }
  /// The job's part of the node.
  const NodeResources& part_of(int node, int job) const;

  /// Whether backfill may plan a start of the demand on the node: up to Slurm 24.05 not if belongs_to_another().
  bool may_be_planned(int node, int demand) const {
    return model_.demands[demand].tenancy < 0 || model_.times.plans_behind_owners || !belongs_to_another(node, demand);
  }

  /// The time of the last end of a job on the node, or of the snapshot.
  ReplayTime last_release(int node) const { return last_release_[node]; }
  void released_at(int node, ReplayTime when) { last_release_[node] = when; }

  /// Returns when the demand fits on the node if each job runs to its limit: EarliestStartQueue::free_now if it fits
  /// now, never if it does not fit even when all jobs have ended.
  ReplayTime free_from(int node, int demand) const { return free_from(states_[node], node, demand); }
  /// The same in the snapshot.
  ReplayTime first_free_from(int node, int demand) const { return free_from(first_[node], node, demand); }

  /// The node of each hold(), release() and touch() since reset(), in order.
  const std::vector<int>& changes() const { return changes_; }

  int free_cpus(int node) const { return states_[node].free.cpus; }
  /// Returns the free CPUs after the end of all jobs whose limit is reached by `when`.
  int free_cpus_at(int node, ReplayTime when) const;

 private:
  struct Tenant {
    ReplayTime limit_end = 0;
    int job = 0;
    NodeResources part;
    int tenancy = -1;
  };
  struct State {
    NodeResources free;
    std::vector<Tenant> tenants;  // by limit_end
  };

  bool belongs_to_another(int node, int demand) const;
  bool fits_now(const State& state, int node, int demand) const;
  std::vector<planner::Tenant> tenants_of(const State& state, std::size_t first) const;
  bool may_join(const State& state, std::size_t first, int free_cpus, int node, const Demand& wanted) const;
  bool fits_without(const State& state, int node, int demand, const FreedResources& gone) const;
  ReplayTime free_from(const State& state, int node, int demand) const;
  ReplayTime free_among(const State& state, int node, const Demand& wanted) const;
  static ReplayTime free_from_pool(const State& state, const ReplayNode& record, const Demand& wanted, int pool);
  static void insert(State& state, const Tenant& one);

  const ReplayModel& model_;
  std::vector<int> nodes_;
  std::vector<State> first_;  // in the snapshot
  std::vector<State> states_;
  std::vector<ReplayTime> last_release_;
  std::vector<int> changes_;
};

}  // namespace rv::planner
