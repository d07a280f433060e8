// Builds the model of a replay from the snapshot.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/reservation_access.h"
#include "planner/replay/model/array_limits.h"
#include "planner/replay/model/held_gpus.h"
#include "planner/replay/model/job_demand.h"
#include "planner/replay/model/job_dependencies.h"
#include "planner/replay/model/left_out.h"
#include "planner/replay/model/numbering.h"
#include "planner/replay/model/preemption_rules.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/model/run_times.h"
#include "planner/replay/model/shape_numbers.h"
#include "planner/replay/model/shared_limits.h"
#include "planner/replay/model/unaccounted_use.h"
#include "planner/sharing/node_tenants.h"

namespace rv::planner {

/// Gives the names in the snapshot numbers and fills a ReplayModel. The constructor adds nodes, reservations and the
/// jobs of the queue, in this order, because each refers to those before. Then the planner adds hypothetical jobs and
/// arrivals. finish() adds what depends on all of them, and sorts the queue.
class ReplayBuilder {
 public:
  ReplayBuilder(const Cluster& cluster, const RunTimes& run_times);
  ReplayBuilder(const ReplayBuilder&) = delete;  // its members point into its model
  ReplayBuilder& operator=(const ReplayBuilder&) = delete;

  /// Returns the number of a partition; -1: the snapshot has none of that name.
  int partition(std::string_view name) const;

  /// Returns the number of a gres type; any_gpu for an empty name. A type that no node has also gets a number.
  int gpu_type(const DatabaseName& name);

  /// Excludes the nodes of magnetic reservations that are open to the asking user, but not to a job with these rights
  /// and this time limit (nothing: unlimited).
  void exclude_closed(NodeConstraints& filter, const JobRights& job,
                      std::optional<std::chrono::seconds> time_limit) const;

  /// Adds what the partition's rules require on each node to the job's demand.
  void apply_rules(Demand& demand, int partition, const QueuedJob& job);

  /// Returns the resources that limits count for a job in whole nodes that requests `asked`: those of the first nodes
  /// of the partition that it fits on. `over_limit`: a limit blocks the job, so Slurm has chosen the nodes with most
  /// GPUs.
  Tres in_whole_nodes_of(int partition, Tres asked, int nodes, const GpuDemand& gpus, bool over_limit) const;

  /// See ShapeNumbers.
  const std::vector<std::string>& islands(int partition, int nodes) { return shapes_.islands(partition, nodes); }
  int shape(int partition, const Demand& demand, int nodes, const NodeConstraints& filter) {
    return shapes_.shape(partition, demand, nodes, filter);
  }

  SharedLimits& limits() { return limits_; }
  /// Returns the number of the group of run times; -1: nothing is known.
  int run_times(const JobKind& kind);
  int user(const DatabaseName& name);
  /// See PreemptionRules.
  int qos(const DatabaseName& name) const { return preemption_.qos(name); }
  int preemptor(int qos, int partition, std::int64_t priority) {
    return preemption_.preemptor(qos, partition, priority);
  }

  /// Adds a job that arrives `after` seconds from the beginning of a period of the past.
  void add_arrival(std::size_t period, ReplayTime after, ReplayJob job, Entry entry);
  /// `by_time`: see ReplayModel::periods_by_time.
  void set_arrival_periods(std::size_t periods, ReplayTime length, std::vector<std::vector<int>> by_time);

  ReplayModel finish();

 private:
  int add_job(ReplayJob job);
  void hold(const std::vector<UnavailablePart>& parts);
  void add_nodes();
  bool is_magnetic_for_asker(const Reservation& reservation) const;
  void add_reservations();
  void add_jobs();
  HeldGpus held_gpus(const std::vector<const QueuedJob*>& jobs);
  void add_running(const QueuedJob& job, HeldGpus& held);
  std::vector<Entry> returning_entries();
  void add_entries(const QueuedJob& job, int number, const NodeConstraints& filter, std::vector<Entry>& to);
  void add_pending(const QueuedJob& job);
  int tenancy_number(const Tenancy& tenancy);
  NodeChoice node_choice(const Partition& partition, const QueuedJob& job) const;
  Demand demand_of(const QueuedJob& job);
  ReplayJob job_values(const QueuedJob& job, const std::string& partition);

  const Cluster& cluster_;
  const RunTimes& learned_;
  ReplayModel model_;

  // Numbers of names in the snapshot.
  std::vector<DatabaseName> types_;  // of the nodes' GPUs
  std::unordered_map<std::string_view, int> node_numbers_;
  std::unordered_map<std::string_view, int> partition_numbers_;
  Numbering<DatabaseName> type_numbers_;
  Numbering<DatabaseName> user_numbers_;
  Numbering<std::uint64_t> run_time_numbers_;  // by the levels of their groups
  std::map<Tenancy, int> tenancy_numbers_;

  // Rules, each with its part of the model.
  SharedLimits limits_;
  SharingRules rules_;
  LeftOut left_out_;
  PreemptionRules preemption_;
  ShapeNumbers shapes_;
  std::optional<ArrayLimits> arrays_;  // once the queue is read
  JobDependencies dependencies_;
  std::set<DatabaseName> no_reserve_;  // QOS with the flag NoReserve
  std::vector<const Reservation*> open_reservations_;

  // Kept for finish().
  std::vector<const QueuedJob*> queued_running_;  // the first of ReplayModel::running
  std::vector<std::vector<Arrival>> arrivals_;    // entries counted from the first arrival
  std::vector<Entry> arrival_entries_;
};

}  // namespace rv::planner
