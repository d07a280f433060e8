// Parses the tree of switches (TopologyPlugin=topology/tree).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace rv::slurm {

/// Reads `scontrol show topology` and returns the highest switch above each node. A node under no switch is absent.
std::map<std::string, std::string> parse_top_switches(std::string_view text);

}  // namespace rv::slurm
