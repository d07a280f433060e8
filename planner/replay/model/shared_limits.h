// Limits that jobs share, by number: which of them bound a job, and the counters that it adds to while it runs.
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
  /// `types`: gres types by number; it may grow by types that only limits name.
  SharedLimits(const Cluster& cluster, std::vector<DatabaseName>& types);

  struct OfJob {
    std::vector<int> counters;  // numbers of LimitCounter, ascending
    std::vector<int> limits;    // numbers of SharedLimit, ascending
    bool empty() const { return counters.empty(); }
  };
  /// Those of a job with this user, account, job QOS and partitions: of the partition's and the job's QOS, of the
  /// associations up to the root (as Slurm's acct_policy.c has them), and what infer_from() has found. Each combination
  /// is computed once, because most jobs of a queue share a few.
  const OfJob& of(const DatabaseName& user, const DatabaseName& account, const DatabaseName& qos,
                  const std::vector<std::string>& partitions);

  /// Infers a limit from a pending job that waits for one whose amount is not in the snapshot: what runs under it now
  /// leaves no room for the job. Call it for every pending job before of().
  void infer_from(const QueuedJob& job);

  /// cpu, mem, node, gpu, billing, gpu by type: of one task.
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
    int resource = -1;                  // place in SharedLimit::most; -1: the number of jobs
    std::vector<std::int64_t> amounts;  // of the job that waits
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
