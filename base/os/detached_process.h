// Work that continues after the end of this process.
#pragma once

#include <functional>

namespace rv::os {

/// Runs `work` in a new process in its own session: a closed terminal, Ctrl-C or a SIGKILL to the caller does not reach
/// it, and it does not hold the caller's pipes open. Returns at once. Exceptions of `work` are lost, so `work` must
/// record its results itself. Returns false if the system can't create a process.
bool run_detached(const std::function<void()>& work);

}  // namespace rv::os
