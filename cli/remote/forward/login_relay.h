// The part of a forward that runs on the login node.
#pragma once

#include <string>

namespace rv::forward {

/// Answers `request` (relay_request.h) on stdout, then connects the frames of stdin and stdout to ports of the run's
/// nodes, by a step of the run's job on each. Ends with stdin, or with the run. Returns the exit code.
int relay_from_login_node(const std::string& request);

}  // namespace rv::forward
