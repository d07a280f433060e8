// Shared limits by number: the limits that bound a job, and the counters to which it adds while it runs.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/usage.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class SharedLimits {
 public:
  /// `types`: gres types by number; types that only limits name are added to it.
  SharedLimits(const Cluster& cluster, std::vector<DatabaseName>& types);

  struct OfJob {
    std::vector<int> counters;  // numbers of LimitCounter, ascending
    std::vector<int> limits;    // numbers of SharedLimit, ascending
    bool empty() const { return counters.empty(); }
  };
  /// Returns the counters and limits of a job with this user, account, job QOS and partitions: those of the partition's
  /// and the job's QOS, of the associations up to the root (acct_policy.c of Slurm), and those of infer_from(). Each
  /// combination is computed once, because most jobs of a queue share a few of them.
  const OfJob& of(const DatabaseName& user, const DatabaseName& account, const DatabaseName& qos,
                  const std::vector<std::string>& partitions);

  /// If a pending job waits for a limit whose amount is not in the snapshot, infers the amount: the jobs that run under
  /// it leave no room for this job. Call it for every pending job before of().
  void infer_from(const QueuedJob& job);

  /// Returns the amounts of one task: cpu, mem, node, gpu, billing, and gpu by type.
  std::vector<std::int64_t> amounts(const Tres& tres, int nodes, int cpus) const;

  /// Counts a job that runs in the snapshot, on these nodes.
  void count_running(const ReplayJob& job, const std::vector<JobPart>& parts);

  /// Moves counters and limits into the model, once all running jobs are counted.
  void take(ReplayModel& model);
  const SharedLimit& operator[](int number) const { return limits_[number]; }

 private:
  int counter(const std::string& name, bool counts_nodes);
  int limit(const SharedBound& bound);
  void add_reported_use();
  void complete_inferred();

  struct Inferred {
    int limit = 0;
    int resource = -1;                  // index in SharedLimit::most; -1: the number of jobs
    std::vector<std::int64_t> amounts;  // of the waiting job
  };

  const Cluster& cluster_;
  std::vector<DatabaseName>& types_;
  SharedBounds bounds_;
  std::unordered_map<std::string, OfJob> of_jobs_;         // by user, account, QOS and partitions
  std::unordered_map<std::string, int> counter_numbers_;   // by name
  std::unordered_map<std::string, int> limit_numbers_;     // by counter and amounts
  std::unordered_map<std::string, int> inferred_numbers_;  // numbers of limits, by counter
  std::vector<Inferred> inferred_;
  std::vector<LimitCounter> counters_;
  std::vector<SharedLimit> limits_;
};

}  // namespace rv::planner
