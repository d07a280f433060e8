// Maps Slurm's end of a job to the state of its run.
#pragma once

#include "monitor/jobs/job_status.h"
#include "monitor/run/run_state.h"

namespace rv::monitor {

/// Returns the state of a run whose job ended without an exit record. Slurm's COMPLETED is not success here: only an
/// exit record proves how the command ended.
RunState state_of_ending(Ending ending);

}  // namespace rv::monitor
