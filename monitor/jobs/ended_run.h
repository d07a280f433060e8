// The state of a run whose command has ended, from the record of its exit.
#pragma once

#include "monitor/jobs/run_assessment.h"

namespace rv::monitor {

/// Reads the exit record, the journal and Slurm's status of the job; sets the state, the detail and the exit code of
/// the view. Slurm's reason overrides the exit code of a command that received TERM.
void assess_end(RunAssessment& run, const ExitRecord& exit);

}  // namespace rv::monitor
