// Entering the nodes that a run holds, by a step of its job beside the command's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// "srun --jobid=… --overlap": the beginning of such a step. Throws Error(no_such_run) for a run that holds nothing.
std::vector<std::string> step_of(const monitor::RunFolder& folder, const monitor::RunView& view);

/// Throws Error(no_such_run) for a node that is not the run's, with the nearest that is. Nothing is said of an empty
/// name, nor of a run whose nodes are not known.
void check_node(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node);

/// The step's job, and the nodes that it has; of an array those of one element.
struct StepLocation {
  std::vector<std::string> step;         // srun with that job
  std::string nodes;                     // as Slurm writes them
  std::vector<std::string> environment;  // words of env(1) by which the step knows its element
};

/// `element`: of an array; nothing: the first that runs. Asks Slurm for an array alone. Throws Error(no_such_run), also
/// if that element is not running, and Error(usage) for an element of a run that is not an array.
StepLocation location_of(const monitor::RunFolder& folder, const monitor::RunView& view, std::optional<int> element);

/// A shell with the run's environment on `node` (empty: the run's first), until it is left; what it reads is this
/// process's stdin. Returns its exit code; leaving it releases nothing. Throws Error(no_such_run), also for a node that
/// is not the run's.
int open_shell(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node,
               const os::Terminal& terminal, std::optional<int> element = std::nullopt);

}  // namespace rv::monitor
