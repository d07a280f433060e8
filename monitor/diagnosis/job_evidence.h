// RunEvidence of a Slurm job that is not a run's: what Slurm says of it, and the end of its output.
#pragma once

#include <optional>

#include "monitor/diagnosis/diagnosis.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// The job as if it were a run with one candidate. Nothing where neither the controller nor accounting knows the job;
/// of an array the first element that is not well. Throws Error(slurm) where neither answers.
std::optional<RunEvidence> job_evidence(JobId id, slurm::Gateway& gateway);

}  // namespace rv::monitor
