// Slurm's reasons why a job does not start: one table for every release from 20.11 to 26.05.
#pragma once

#include <string>
#include <string_view>

namespace rv::planner {

enum class ReasonClass {
  waits,    // starts by itself when resources, time or another job allow it
  held,     // waits for the user or an administrator
  limit,    // an accounting or partition limit
  broken,   // the request can never start as it is
  unknown,  // no row in the table
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
  tres,  // any other one
};

/// Whose limit it is. A limit per user or account belongs to that user or account, even if a QOS sets it.
enum class LimitOwner { none, user, account, qos, partition };

enum class LimitKind {
  none,
  per_job,
  per_node,
  least,            // a minimum
  minutes_per_job,  // resource × time of one job
  shared,           // what the owner's running jobs may use together
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
  std::string advice;           // empty where waiting is all there is to do

  bool known() const { return kind != ReasonClass::unknown; }
  /// True when the job will not start until a person changes the job, its limits or the cluster. A used-up budget
  /// counts: its decay or reset is not part of the queue.
  bool blocked() const;
};

/// Reads a reason as squeue and scontrol print it, with blanks or with underscores, and returns its row. The words of a
/// reason without a row name it as unknown.
JobReason job_reason(std::string_view reason);

}  // namespace rv::planner
