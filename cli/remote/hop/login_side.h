// The rv on the login node that was called by the rv on a laptop ("--hop REQUEST").
#pragma once

#include <functional>
#include <string>

#include "cli/remote/hop/hop_request.h"

namespace rv::remote {

/// Marks the beginning of rv's own output, changes to the request's folder, runs `command`, and sends its exit code.
/// Returns the exit code. For a request that carries a signal: sends it and does nothing else.
int answer(const HopRequest& request, const std::function<int()>& command);

/// Tells the rv on the laptop something of the command beside its output (Hop::announced). Without control characters.
void announce(const HopRequest& request, const std::string& words);

/// The folder, below rv's home, where a followed run can be found by the token of the command that started it.
std::string notes_folder(const std::string& home);

/// The run that the command with this token started, while that command may still be at it waited for. Throws
/// Error(connection) when the command has ended without one.
std::string run_of_token(const std::string& home, const std::string& token);

}  // namespace rv::remote
