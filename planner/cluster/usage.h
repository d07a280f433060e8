// Limits that jobs share while they run: which of them apply to a job, and how much running jobs use.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// A shared limit for one job. Slurm counts the use of jobs for each QOS, for each user and account in a QOS, and for
/// each association. It counts a job also if the limit does not apply to it.
struct SharedBound {
  std::string counter;           // name of the counter that the job adds to while it runs
  Tres most;                     // limits that apply to this job; empty: the job is only counted
  std::optional<int> most_jobs;  // maximum number of jobs that run at once
  bool counts_nodes = false;     // a limit of the counter is on nodes, perhaps one that does not apply to this job
};

/// The shared limits of a snapshot, found by a job's user, account, QOS and partitions.
class SharedBounds {
 public:
  explicit SharedBounds(const Cluster& cluster);

  /// Returns the counters to which a job adds, each with the limits that apply to the job; only counters with a limit.
  /// - If the same limit is set in several places, the first of these counts, as in Slurm: partition QOS, job QOS,
  ///   association and the accounts above it. A job QOS with OverPartQOS comes before the partition QOS.
  /// - Limits of other users' associations are unknown.
  /// - To a job with several partitions the QOS of each applies.
  std::vector<SharedBound> of(const DatabaseName& user, const DatabaseName& account, const DatabaseName& qos,
                              const std::vector<std::string>& partitions) const;

  /// The accounts with limits, by the name of their counter.
  const std::map<std::string, const Account*>& accounts() const { return accounts_; }

  /// False if limits are not enforced; of() is then always empty.
  bool enforced() const { return enforced_; }
  /// Whether the snapshot has all limits of the account: true for the user's accounts and the accounts above them.
  bool knows_limits_of(const DatabaseName& account) const;

 private:
  const Qos* find_qos(const DatabaseName& name) const;
  /// The QOS that all of these partitions have; null if they differ or have none.
  const Qos* qos_of_all(const std::vector<std::string>& partitions) const;
  /// Returns the account and the accounts above it, without those that have no limits.
  const std::vector<const Account*>& limited_from(const DatabaseName& account) const;

  const Cluster& cluster_;
  bool enforced_ = true;
  std::unordered_map<DatabaseName, const Qos*> qos_;
  std::unordered_map<std::string, DatabaseName> qos_of_partition_;
  std::map<std::string, const Account*> accounts_;
  mutable std::unordered_map<DatabaseName, std::vector<const Account*>>
      limited_from_;  // results of limited_from(), by account
};

/// Whether limits count the job: it has nodes, and is not about to release them.
bool counts_as_running(const QueuedJob& job);

/// What running jobs use, by counter.
struct Usage {
  explicit Usage(const Cluster& cluster) : bounds(cluster) {}

  struct Sum {
    Tres tres;  // without "node"
    int jobs = 0;
    std::set<std::string>
        nodes;  // only if a limit is on nodes; Slurm counts a node once, even if several jobs run on it
  };
  SharedBounds bounds;
  std::map<std::string, Sum> by_counter;
};

/// Sums up the running jobs of the snapshot.
Usage measure_usage(const Cluster& cluster);

/// Whether limits per user, QOS and association allow the strategy to start in `partition` beside the running jobs.
/// Also false if there is such a limit and the jobs are not known.
bool within_shared_limits(const Cluster& cluster, const Usage& usage, const Partition& partition,
                          const Strategy& strategy);

}  // namespace rv::planner
