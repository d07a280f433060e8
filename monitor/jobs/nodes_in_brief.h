// A short text that names the nodes of a run, for a line of progress.
#pragma once

#include <string>

#include "monitor/jobs/run_view.h"

namespace rv::monitor {

/// "a1" for one node, "a1 and 3 more nodes" for four. Until Slurm reports all names, `view.nodes` may hold only the
/// node that claimed the run; the number is then from the winning candidate. Empty if the run has no node.
std::string nodes_in_brief(const RunView& view);

}  // namespace rv::monitor
