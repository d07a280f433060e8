// Where jobs stand, asked as sparingly as the question allows.
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

/// One query of the queue: every job of this user, at one moment.
struct QueueView {
  bool answered = false;
  std::string trouble;  // why not
  std::vector<slurm::QueueRow> rows;

  /// The row of this very job; of an array, that of its liveliest element.
  const slurm::QueueRow* find(const JobKey& key) const;
};

/// Whether it is this very job: by its name, or, if it was renamed, by the run's folder that it writes to.
bool is_the_job(const slurm::JobRecord& record, const JobKey& key);

/// The ID of the run whose job has this name (templates/job_script.h, run_job_name); nothing: no run's.
std::optional<std::string> run_of_job(std::string_view name);

/// The rows of each run's jobs, by the run's ID in their names (templates/job_script.h, run_job_name).
std::map<std::string, QueueView> by_run(const QueueView& queue);

class Lookup {
 public:
  explicit Lookup(slurm::Gateway& gateway) : gateway_(gateway) {}

  /// One squeue for everything.
  QueueView query();

  /// The status of jobs that `view` does not list: the controller's memory first, then accounting. What neither
  /// knows is Phase::unknown, and unknown_to_slurm when both answered; what accounting takes for alive although the
  /// controller does not know it has ended (forgotten). At most `records` controller questions and one for accounting.
  /// A job that another cluster of a federation took has the status that accounting has from that cluster.
  std::map<JobKey, JobStatus> vanished(const std::vector<JobKey>& keys, int records = 4);

 private:
  /// Adds the status of jobs that are revoked on this cluster; Phase::unknown where accounting has no other record.
  void ask_other_clusters(const std::vector<JobKey>& moved, std::map<JobKey, JobStatus>& found);

  slurm::Gateway& gateway_;
};

}  // namespace rv::monitor
