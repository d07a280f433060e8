// Starts a command inside another run: as a step of that run's job.
#pragma once

#include "monitor/run/run_folder.h"
#include "monitor/run/submit_lock.h"

namespace rv::monitor {

/// Runs srun until the step holds the run's claim, and then ends only srun: the step goes on without it, so no process
/// on this machine has to stay. srun waits while too few GPUs or CPUs of the job are free. Returns when the claim is
/// there, when the run is stopped, or after Slurm's refusal, which it records.
void start_step(const RunFolder& folder, const SubmitLock& lock);

/// Returns the name of the command's step ("<name>@<id>.1"), by which rv finds it in the job.
const std::string& step_name(const RunRecord& record);

}  // namespace rv::monitor
