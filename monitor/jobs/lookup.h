// Queries Slurm for the status of jobs, with as few calls as possible.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/jobs/job_status.h"
#include "slurm/gateway.h"

namespace rv::monitor {

using slurm::JobKey;

/// The answer of one squeue: every job of this user, at one moment.
struct QueueView {
  bool answered = false;
  std::string trouble;  // why there is no answer
  std::vector<slurm::QueueRow> rows;

  /// The row of the job with this ID and name, null if there is none. For an array, the row of the most advanced
  /// element: running before pending.
  const slurm::QueueRow* find(const JobKey& key) const;
};

/// Whether the record is of this job and not of a later job with the same ID. Compares the name; for a job that was
/// renamed, the run folder to which it writes.
bool is_the_job(const slurm::JobRecord& record, const JobKey& key);

/// Returns the ID of the run from the name of its job (run_job_name in templates/job_script.h); nothing for other jobs.
std::optional<std::string> run_of_job(std::string_view name);

/// Returns the rows of each run's jobs. The key is the run's ID, from the names of the jobs.
std::map<std::string, QueueView> by_run(const QueueView& queue);

class Lookup {
 public:
  explicit Lookup(slurm::Gateway& gateway) : gateway_(gateway) {}

  /// Calls squeue once, for all jobs of the user.
  QueueView query();

  /// Returns the status of jobs that are not in the queue. Asks the controller (scontrol), at most `records` times,
  /// then accounting (sacct), once.
  /// - Neither has the job: Phase::unknown, with `unknown_to_slurm` if both answered.
  /// - Accounting has it as alive and the controller does not have it: the same, with `alive_in_accounting`.
  /// - Accounting has it as cancelled by nobody: the same, with `cancelled_by_nobody`.
  /// - Another cluster of a federation has taken it: the status that accounting has from that cluster.
  std::map<JobKey, JobStatus> vanished(const std::vector<JobKey>& keys, int records = 4);

 private:
  /// Adds the status of jobs that are revoked on this cluster; Phase::unknown if accounting has no other record.
  void ask_other_clusters(const std::vector<JobKey>& moved, std::map<JobKey, JobStatus>& found);

  slurm::Gateway& gateway_;
};

}  // namespace rv::monitor
