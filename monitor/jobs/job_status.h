// Slurm's state words → what they mean for a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slurm/parse/job_records.h"

namespace rv::monitor {

enum class Phase {
  pending,      // in the queue, may start by itself
  held,         // in the queue, does not start until it is released
  configuring,  // has nodes that are not ready yet: not started
  running,
  suspended,
  completing,  // its processes are over, the node is being cleaned
  ended,
  unknown,  // no answer, or a word that is not known: neither alive nor dead
};

/// How a job ended, as far as Slurm says.
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
  forgotten,  // the controller came back without it
  purged      // ended long ago: Slurm has no record of it any more
};

struct JobStatus {
  Phase phase = Phase::unknown;
  std::optional<Ending> ending;  // set when ended (and known while completing, when accounting said)
  std::string word;              // Slurm's own state
  std::string reason;            // Slurm's own pending reason
  std::string node_list;
  std::optional<slurm::TimePoint> start;  // real, or planned for a pending job
  std::optional<int> exit_status;
  std::optional<int> restarts;    // how often Slurm put it back into the queue; squeue's row does not say
  std::string source;             // "squeue", "scontrol", "sacct", "" for none
  bool unknown_to_slurm = false;  // unknown, although the controller and accounting answered: neither has it
};

/// The job was moved: another cluster of the federation has it, and this one's record says nothing about its life.
bool is_revoked(const JobStatus& status);

JobStatus status_of(const slurm::QueueRow& row);
JobStatus status_of(const slurm::JobRecord& record);
JobStatus status_of(const slurm::AccountingRow& row);

std::string_view to_string(Phase phase);
/// "hit its time limit", "was cancelled", … to follow "the job".
std::string_view in_words(Ending ending);

}  // namespace rv::monitor
