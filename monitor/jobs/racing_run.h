// The state of a run that no job has claimed yet: its candidates wait, start, were rejected, or have ended.
#pragma once

#include "monitor/jobs/run_assessment.h"

namespace rv::monitor {

/// Sets state and detail from the candidates' journals and Slurm's status of their jobs.
void assess_race(RunAssessment& run);

}  // namespace rv::monitor
