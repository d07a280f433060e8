// Work that goes on after this process has ended, however it ends.
#pragma once

#include <functional>

namespace rv::os {

/// Runs `work` in a process of a session of its own: a closed terminal, Ctrl-C or a SIGKILL to the caller does not
/// reach it, and nobody who waits for the caller's pipes waits for it. Returns at once. What `work` throws is lost, so
/// it writes down what matters. False when the system refuses a process.
bool run_detached(const std::function<void()>& work);

}  // namespace rv::os
