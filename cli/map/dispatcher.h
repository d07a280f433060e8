// Runs the tasks of an rv map run on one node of its job: the command that the batch script starts there.
#pragma once

#include <string>

namespace rv::cli {

/// The exit code of a run with a task that did not succeed.
inline constexpr int tasks_failed = 1;

/// Runs tasks until none is left, or until SIGTERM: then it starts no more, passes the signal on and waits for those
/// that run. Reads its place in the job from Slurm's variables. Prints the tasks that fail, and on the node that ends
/// last the summary. Returns 0 if all tasks of the run succeeded, tasks_failed, or 128 + N after signal N; on a node
/// that does not end last 0. Throws Error.
int dispatch_tasks(const std::string& run_folder);

}  // namespace rv::cli
