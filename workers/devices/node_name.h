#pragma once

#include <string>

namespace rv::workers {

/// The name by which an operator identifies this machine: the name in the hosts file of `rv accept --hosts`
/// (RV_NODE_NAME), in a job the name of the Slurm node, else the host name.
std::string node_name();

}  // namespace rv::workers
