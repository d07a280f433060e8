// Opens shells on the nodes of a run, in an additional step of its job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// Returns the beginning of the step's command, "srun --jobid=… --overlap". Throws Error(no_such_run) if the run holds
/// no nodes.
std::vector<std::string> step_of(const monitor::RunFolder& folder, const monitor::RunView& view);

/// Throws Error(no_such_run), with the nearest name of a node, if the run is not on this node. Does nothing for an
/// empty name, or if the nodes of the run are not known.
void check_node(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node);

/// The job for the step, and its nodes; for an array, those of one element.
struct StepLocation {
  std::vector<std::string> step;         // srun with the job's ID
  std::string nodes;                     // as Slurm writes them
  std::vector<std::string> environment;  // arguments of env(1) that set the element's variables
};

/// Finds the job for a step. `element`: for an array; nothing: its first running element. Queries Slurm only for an
/// array. Throws Error(no_such_run) if the run, or the element, is not running, and Error(usage) for an element of a
/// run that is not an array.
StepLocation location_of(const monitor::RunFolder& folder, const monitor::RunView& view, std::optional<int> element);

/// Runs a shell with the run's environment on `node` (empty: the first node), with this process's stdin. Returns its
/// exit code when it ends; this does not release the nodes. Throws Error(no_such_run), also if the run is not on
/// `node`.
int open_shell(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node,
               const os::Terminal& terminal, std::optional<int> element = std::nullopt);

}  // namespace rv::monitor
