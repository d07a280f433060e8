// Descendants of this process.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <set>

namespace rv::os {

/// Returns the running descendants, without `except` (0: none) and below. Complete only for a subreaper of orphans.
std::set<pid_t> descendants(pid_t except = 0);

/// Sends SIGTERM to all descendants, including those that left their process group or session, and after `grace`
/// SIGKILL until none is left. `wait(span)` waits for up to `span` and reaps ended children.
void end_descendants(std::chrono::milliseconds grace, const std::function<void(std::chrono::milliseconds)>& wait,
                     pid_t except = 0);

}  // namespace rv::os
