// Messages about a run that holds GPUs for a user, and the release of that run.
#pragma once

#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::cli {

/// Prints on stderr what is held, where and for how long. `view` has a winner.
void say_what_is_held(const monitor::RunFolder& folder, const monitor::RunView& view);
void say_still_held(const monitor::RunFolder& folder);

/// Ends the run and prints a line. Returns 0, or an exit code if Slurm did not accept the request.
int release(const monitor::RunFolder& folder, slurm::Gateway& gateway);

}  // namespace rv::cli
