#include "monitor/jobs/job_status.h"

#include <algorithm>
#include <array>
#include <utility>

#include "planner/slurm_words/job_reason.h"

namespace rv::monitor {
namespace {

struct Meaning {
  std::string_view word;
  Phase phase;
  std::optional<Ending> ending = std::nullopt;
};

// Base states and the flags that replace them in text (20.11 to 26.05).
constexpr std::array meanings = {
    Meaning{"PENDING", Phase::pending},
    Meaning{"RUNNING", Phase::running},
    Meaning{"SUSPENDED", Phase::suspended},
    Meaning{"COMPLETED", Phase::ended, Ending::completed},
    Meaning{"CANCELLED", Phase::ended, Ending::cancelled},
    Meaning{"FAILED", Phase::ended, Ending::failed},
    Meaning{"TIMEOUT", Phase::ended, Ending::timeout},
    Meaning{"NODE_FAIL", Phase::ended, Ending::node_failure},
    Meaning{"PREEMPTED", Phase::ended, Ending::preempted},
    Meaning{"BOOT_FAIL", Phase::ended, Ending::node_failure},
    Meaning{"DEADLINE", Phase::ended, Ending::deadline},
    Meaning{"OUT_OF_MEMORY", Phase::ended, Ending::out_of_memory},
    Meaning{"REVOKED", Phase::ended, Ending::revoked},
    Meaning{"LAUNCH_FAILED", Phase::ended, Ending::failed},
    Meaning{"RECONFIG_FAIL", Phase::ended, Ending::failed},
    Meaning{"COMPLETING", Phase::completing},
    Meaning{"STAGE_OUT", Phase::completing},
    Meaning{"CONFIGURING", Phase::configuring},
    Meaning{"POWER_UP_NODE", Phase::configuring},
    Meaning{"REQUEUED", Phase::pending},
    Meaning{"REQUEUE_FED", Phase::pending},
    Meaning{"REQUEUE_HOLD", Phase::held},
    Meaning{"SPECIAL_EXIT", Phase::held},
    Meaning{"RESV_DEL_HOLD", Phase::held},
    Meaning{"SIGNALING", Phase::running},
    Meaning{"RESIZING", Phase::running},
    Meaning{"UPDATE_DB", Phase::running},
    Meaning{"EXPEDITING", Phase::pending},
    Meaning{"STOPPED", Phase::suspended},
};

JobStatus from(std::string_view word, std::string_view reason) {
  JobStatus status;
  status.word = word;
  status.reason = reason;
  // sacct writes "CANCELLED by 1001", other tools cut words with "+".
  const auto first = word.substr(0, word.find_first_of(" +"));
  const auto found = std::find_if(meanings.begin(), meanings.end(), [&](const auto& m) { return m.word == first; });
  if (found == meanings.end()) return status;
  status.phase = found->phase;
  status.ending = found->ending;
  if (status.phase == Phase::pending && planner::job_reason(reason).blocked()) status.phase = Phase::held;
  return status;
}

}  // namespace

bool is_revoked(const JobStatus& status) {
  return status.ending == Ending::revoked;
}

JobStatus status_of(const slurm::QueueRow& row) {
  JobStatus status = from(row.state, row.reason);
  status.node_list = row.node_list;
  status.start = row.start;
  status.time_limit = row.time_limit;
  if (status.phase == Phase::running) status.ends_by = row.end;
  if (status.phase == Phase::ended) status.end = row.end;
  status.source = "squeue";
  return status;
}

JobStatus status_of(const slurm::JobRecord& record) {
  JobStatus status = from(record.state, record.reason);
  status.node_list = record.node_list;
  status.start = record.start;
  if (status.phase == Phase::ended) {
    status.exit_status = record.exit_status;
    status.end = record.end;
  }
  status.restarts = record.restarts;
  status.source = "scontrol";
  return status;
}

JobStatus status_of(const slurm::AccountingRow& row) {
  JobStatus status = from(row.state, "");
  status.node_list = row.node_list;
  status.start = row.start;
  if (status.phase == Phase::ended) {
    status.exit_status = row.exit_status;
    status.end = row.end;
  }
  status.restarts = row.restarts;
  status.source = "sacct";
  return status;
}

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::pending:
      return "pending";
    case Phase::held:
      return "held";
    case Phase::configuring:
      return "configuring";
    case Phase::running:
      return "running";
    case Phase::suspended:
      return "suspended";
    case Phase::completing:
      return "completing";
    case Phase::ended:
      return "ended";
    case Phase::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view in_words(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::failed:
      return "failed";
    case Ending::cancelled:
      return "was cancelled";
    case Ending::timeout:
      return "hit its time limit";
    case Ending::node_failure:
      return "lost its node";
    case Ending::preempted:
      return "was preempted";
    case Ending::out_of_memory:
      return "ran out of memory";
    case Ending::deadline:
      return "missed its deadline";
    case Ending::forgotten:
      return "was lost by the controller";
    case Ending::purged:
      return "is over, and Slurm has no record of it";
    case Ending::revoked:
      return "was taken by another cluster";
  }
  return "ended";
}

}  // namespace rv::monitor
