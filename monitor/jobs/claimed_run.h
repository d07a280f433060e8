// The state of a run that a job has claimed and whose command has no exit record yet.
#pragma once

#include "monitor/jobs/run_assessment.h"

namespace rv::monitor {

/// Sets state and detail from Slurm's status of the job that won, and from the records of a chain or an array.
void assess_claimed(RunAssessment& run);

}  // namespace rv::monitor
