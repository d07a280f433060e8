// The processes that descend from this one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <set>

namespace rv::os {

/// The living ones, without `except` and what descends from it (0: none). Complete where orphans are adopted.
std::set<pid_t> descendants(pid_t except = 0);

/// SIGTERM to all of them, those too that left their process group or session, and after `grace` SIGKILL until none
/// is left. `wait(span)` waits so long at most and takes what has ended.
void end_descendants(std::chrono::milliseconds grace, const std::function<void(std::chrono::milliseconds)>& wait,
                     pid_t except = 0);

}  // namespace rv::os
