// Gathers evidence about a Slurm job that rv did not start: Slurm's records, and the end of its output.
#pragma once

#include <optional>

#include "monitor/diagnosis/diagnosis.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Returns the job as if it were a run with one candidate; for an array, the first element that failed. Nothing if
/// neither the controller nor accounting has the job. Throws Error(slurm) if both fail to answer.
std::optional<RunEvidence> job_evidence(JobId id, slurm::Gateway& gateway);

}  // namespace rv::monitor
