// The status of a Slurm job, as far as a run depends on it. Reads it from squeue, scontrol and sacct.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slurm/parse/job_records.h"

namespace rv::monitor {

enum class Phase {
  pending,      // in the queue, may start by itself
  held,         // in the queue, starts only after it is released
  configuring,  // has nodes that are not ready yet; the batch script has not started
  running,
  suspended,
  completing,  // its processes have ended, Slurm cleans the nodes up
  ended,
  unknown,  // no answer, or a state that rv does not know: the job may be alive
};

/// How a job ended, according to Slurm.
enum class Ending {
  completed,
  failed,
  cancelled,
  timeout,
  node_failure,
  preempted,
  out_of_memory,
  deadline,
  revoked,
  forgotten,  // the controller was restarted and does not have the job
  purged      // over, and Slurm has no record of how it ended
};

struct JobStatus {
  Phase phase = Phase::unknown;
  std::optional<Ending> ending;  // set for `ended`; for `completing` only if accounting has it
  std::string word;              // the state as Slurm writes it
  std::string reason;            // the pending reason as Slurm writes it
  std::string node_list;
  std::optional<slurm::TimePoint> start;  // the start; of a pending job the planned start
  std::optional<slurm::TimePoint> end;    // set only for `ended`
  // As they are now: anybody with the right may have changed them since the submission. Only squeue reports them.
  std::optional<slurm::TimePoint> ends_by;  // of a running job: when its time limit ends it
  std::optional<std::chrono::seconds> time_limit;
  std::optional<int> exit_status;
  std::optional<int> restarts;       // how often Slurm requeued the job; squeue does not report it
  std::string source;                // "squeue", "scontrol", "sacct", "" for none
  bool step_ended = false;           // only the run's step in the job has ended, and the job may be alive
  bool unknown_to_slurm = false;     // both answered: not in the controller, and without an end in accounting
  bool alive_in_accounting = false;  // with unknown_to_slurm: its end may be on its way to accounting
  // With unknown_to_slurm: CANCELLED in accounting, by nobody. slurmdbd closes every open job like that when slurmctld
  // starts without its saved state (as_mysql_flush_jobs_on_cluster), and slurmctld cancels jobs itself, for example
  // those whose dependency can't be satisfied.
  bool cancelled_by_nobody = false;
};

/// Whether the job was moved to another cluster of the federation. This cluster's record then does not show its state.
bool is_revoked(const JobStatus& status);

JobStatus status_of(const slurm::QueueRow& row);
JobStatus status_of(const slurm::JobRecord& record);
JobStatus status_of(const slurm::AccountingRow& row);

std::string_view to_string(Phase phase);
/// The predicate of a sentence about the job: "hit its time limit", "was cancelled".
std::string_view in_words(Ending ending);

}  // namespace rv::monitor
