// What each node holds at one moment of a replay, and when it will be free by the limits of its jobs.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/preemptible_resources.h"
#include "planner/sharing/tenancy.h"

namespace rv::planner {

class NodeTimeline {
 public:
  explicit NodeTimeline(const ReplayModel& model);

  /// From now on it is about these nodes.
  void enter(const std::vector<int>& nodes);
  /// A part that the snapshot counts as used already; `limit_end`: when Slurm expects the job to be over; `job`: any
  /// number that release() gives back.
  /// `tenancy`: as Demand's.
  void adopt(int node, const NodeResources& part, ReplayTime limit_end, int job, int tenancy = -1);
  /// Back to the snapshot, with the adopted jobs.
  void reset();

  /// True when the demand fits into what is free on the node now.
  bool fits_now(int node, int demand) const { return fits_now(states_[node], node, demand); }
  /// As it was in the snapshot.
  bool fitted_at_first(int node, int demand) const { return fits_now(first_[node], node, demand); }

  /// True when it would if some jobs left what they have there.
  bool fits_without(int node, int demand, const FreedResources& gone) const {
    return fits_without(states_[node], node, demand, gone);
  }
  /// As it was in the snapshot.
  bool fitted_without_at_first(int node, int demand, const FreedResources& gone) const {
    return fits_without(first_[node], node, demand, gone);
  }

  /// The part of the node that a job with this demand takes; `gone`: when these have left.
  NodeResources part_for(int node, int demand, const FreedResources* gone = nullptr) const;

  /// As adopt(), for a job that starts now.
  /// Of a part that others still have for a while, less than nothing is free until they have left.
  void hold(int node, const NodeResources& part, ReplayTime limit_end, int job, int tenancy = -1);
  void release(int node, int job);
  /// The job is expected to be over at another time.
  void set_limit_end(int node, int job, ReplayTime end);
  /// Something that `changes` is to tell of has changed besides.
  void touch(int node) { changes_.push_back(node); }

  /// Calls with each job on the node and its part.
  template <typename Call>
  void each_tenant(int node, const Call& call) const {
    for (const Tenant& one : states_[node].tenants) call(one.job, one.part);
  }
  /// The job's part of the node.
  const NodeResources& part_of(int node, int job) const;

  /// Whether backfill may plan a start of the demand there: up to 24.05 not where belongs_to_another().
  bool may_be_planned(int node, int demand) const {
    return model_.demands[demand].tenancy < 0 || model_.times.plans_behind_owners || !belongs_to_another(node, demand);
  }

  /// When the last job ended on it (or the snapshot).
  ReplayTime last_release(int node) const { return last_release_[node]; }
  void released_at(int node, ReplayTime when) { last_release_[node] = when; }

  /// From when on the demand fits on the node if each job stays to its limit: EarliestStartQueue::free_now where there
  /// is room, never where it does not fit even then.
  ReplayTime free_from(int node, int demand) const { return free_from(states_[node], node, demand); }
  /// As it was in the snapshot.
  ReplayTime first_free_from(int node, int demand) const { return free_from(first_[node], node, demand); }

  /// The nodes on which something was held, released or touched since reset(), in that order.
  const std::vector<int>& changes() const { return changes_; }

  int free_cpus(int node) const { return states_[node].free.cpus; }
  /// When each job that has reached its limit by then has left.
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
