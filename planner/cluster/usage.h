// Limits that jobs share while they run: which of them bound a job, and what running jobs use of them.
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

/// A limit as it bounds one job. Slurm counts what jobs use once for each QOS, for each user and account in it and for
/// each association, whether or not the limit bounds the job.
struct SharedBound {
  std::string counter;           // name of the counter that the job adds to while it runs
  Tres most;                     // bounds of this job; empty: the job is only counted
  std::optional<int> most_jobs;  // running at once
  bool counts_nodes = false;     // some limit of the counter is on nodes, maybe one that does not bound this job
};

/// The shared limits of a snapshot, found by a job's user, account, QOS and partitions.
class SharedBounds {
 public:
  explicit SharedBounds(const Cluster& cluster);

  /// The counters that a job adds to, each with what bounds the job there; only counters with a limit. Of the same
  /// limit set in several places Slurm uses the first of: partition QOS, job QOS, association and the accounts above it
  /// (job QOS first where that has OverPartQOS). Limits of other users' associations are unknown. A job with several
  /// partitions is bound by the QOS of each.
  std::vector<SharedBound> of(const DatabaseName& user, const DatabaseName& account, const DatabaseName& qos,
                              const std::vector<std::string>& partitions) const;

  /// The accounts with limits, by the name of their counter.
  const std::map<std::string, const Account*>& accounts() const { return accounts_; }

  /// False: limits are not enforced, and of() is always empty.
  bool enforced() const { return enforced_; }
  /// True for one of the user's accounts and the accounts above them, whose limits are all in the snapshot.
  bool knows_limits_of(const DatabaseName& account) const;

 private:
  const Qos* find_qos(const DatabaseName& name) const;
  /// The QOS that all of these partitions have; null where they differ or have none.
  const Qos* qos_of_all(const std::vector<std::string>& partitions) const;
  /// Those of the account and the accounts above it that have limits.
  const std::vector<const Account*>& limited_from(const DatabaseName& account) const;

  const Cluster& cluster_;
  bool enforced_ = true;
  std::unordered_map<DatabaseName, const Qos*> qos_;
  std::unordered_map<std::string, DatabaseName> qos_of_partition_;
  std::map<std::string, const Account*> accounts_;
  mutable std::unordered_map<DatabaseName, std::vector<const Account*>> limited_from_;  // by account asked for
};

/// True for a job that limits count: it holds nodes, and is not about to give them back.
bool counts_as_running(const QueuedJob& job);

/// What running jobs use, by counter.
struct Usage {
  explicit Usage(const Cluster& cluster) : bounds(cluster) {}

  struct Sum {
    Tres tres;  // without "node"
    int jobs = 0;
    std::set<std::string> nodes;  // where a limit is on nodes; Slurm counts a node once, however many jobs run there
  };
  SharedBounds bounds;
  std::map<std::string, Sum> by_counter;
};

/// Sums up the running jobs of the snapshot.
Usage measure_usage(const Cluster& cluster);

/// True when the strategy could start in `partition` beside what runs, as far as limits per user, QOS and association
/// go. False as well when there is such a limit and the jobs are not known.
bool within_shared_limits(const Cluster& cluster, const Usage& usage, const Partition& partition,
                          const Strategy& strategy);

}  // namespace rv::planner
