// A shell inside a run's allocation.
#pragma once

#include "monitor/run_view.h"

namespace rv::cli {

/// `srun --overlap --pty` into the winner's job, with the run's environment; on `node`, or the first one when empty.
/// Returns the shell's exit code. Throws Error when the run holds no nodes.
int open_shell(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node);

}  // namespace rv::cli
