// A run that is started from a laptop sees the laptop's files.
#pragma once

#include <optional>
#include <string>

#include "cli/options/invocation.h"
#include "cli/remote/hop/hop_request.h"

namespace rv::cli {

/// Pushes the project of the current folder and prints the changes; does nothing if the folder is in no
/// project. The answer contains the project's name on the login node.
std::optional<remote::ProjectPlace> push_for_run(const HostSettings& there, const Invocation& invocation);

/// On the login node: makes a snapshot of the project's files and goes to the caller's folder in it. Throws Error.
void enter_snapshot(const remote::ProjectPlace& place, const std::string& home);

}  // namespace rv::cli
