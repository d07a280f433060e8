// Slurm's reasons why a job waits: one table for all releases from 20.11 to 26.05.
#pragma once

#include <string>
#include <string_view>

namespace rv::planner {

enum class ReasonClass {
  waits,    // starts without action when resources, time or another job allow it
  held,     // waits for the user or an administrator
  limit,    // an accounting or partition limit
  broken,   // the request can never start as it is
  unknown,  // the table has no row for it
};

/// The resource that a limit or a wait is about.
enum class ReasonResource {
  none,
  cpus,
  memory,
  nodes,
  gpus,  // Slurm's "GRES"
  billing,
  licences,
  burst_buffer,
  energy,
  jobs,
  submitted_jobs,
  walltime,
  tres,  // any other resource
};

/// The owner of a limit. A limit per user or account belongs to that user or account, even if a QOS sets it.
enum class LimitOwner { none, user, account, qos, partition };

enum class LimitKind {
  none,
  per_job,
  per_node,
  least,            // a minimum
  minutes_per_job,  // resource × time of one job
  shared,           // the use of all running jobs of the owner together
  run_minutes,      // resource × remaining time of the owner's running jobs
  budget,           // resource × time that was used so far
};

struct JobReason {
  ReasonClass kind = ReasonClass::unknown;
  ReasonResource resource = ReasonResource::none;
  LimitOwner owner = LimitOwner::none;
  LimitKind limit = LimitKind::none;
  bool of_association = false;  // an association sets the limit, else a QOS or the partition
  std::string words;            // "other jobs are ahead in the queue"
  std::string advice;           // empty: the user can only wait

  bool known() const { return kind != ReasonClass::unknown; }
  /// Whether the job starts only after a person has changed the job, its limits or the cluster. A used-up budget
  /// counts, because the queue does not determine its decay or reset.
  bool blocked() const;
};

/// Returns the row of a reason that squeue or scontrol prints, with blanks or with underscores. For a reason without a
/// row, `words` says that it is unknown.
JobReason job_reason(std::string_view reason);

}  // namespace rv::planner
