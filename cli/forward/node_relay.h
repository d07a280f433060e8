// What a forward runs on a run's node, as a step of the run's job.
#pragma once

#include <string>

namespace rv::cli::forward {

/// Connects the frames of stdin and stdout to ports of this node, until stdin ends: loopback first, then
/// `own_address`, the node's address as digits or nothing. Returns the exit code.
int relay_on_node(const std::string& own_address);

/// Prints "NODE PORT" for each port that the job's processes listen on here. Returns the exit code.
int print_listening_ports();

}  // namespace rv::cli::forward
