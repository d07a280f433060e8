#pragma once

#include <string>

namespace rv::workers {

/// The name by which an operator finds this machine: what a hosts file called it (RV_NODE_NAME), Slurm's
/// name of the node inside a job, else the host's own.
std::string node_name();

}  // namespace rv::workers
