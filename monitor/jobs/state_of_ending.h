// The state that Slurm's word on the end of a job stands for.
#pragma once

#include "monitor/jobs/job_status.h"
#include "monitor/run/run_state.h"

namespace rv::monitor {

/// Of a run whose job left no record of its own. COMPLETED is not success here: only an exit record proves how the
/// command itself ended.
RunState state_of_ending(Ending ending);

}  // namespace rv::monitor
