// The part of a forward that runs on a run's node, as a step of the run's job.
#pragma once

#include <string>

namespace rv::forward {

/// Connects the frames of stdin and stdout to the run's ports of this node, until stdin ends. `array`: the array whose
/// elements are the run's, or nothing. Returns the exit code.
int relay_on_node(const std::string& array);

/// Prints "NODE PORT" for each port that the run's processes listen on here. Returns the exit code.
int print_listening_ports(const std::string& array);

}  // namespace rv::forward
