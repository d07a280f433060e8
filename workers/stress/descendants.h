#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rv::workers {

/// A process that is still running after its parent ended.
struct LeftProcess {
  pid_t pid = 0;
  std::string command;        ///< its arguments, or only its name if they can't be read
  std::optional<int> worker;  ///< by RV_STRESS_WORKER in its environment
  bool zombie = false;        ///< ended, but not yet reaped
};

/// All descendants of this process, except `without`.
std::vector<LeftProcess> descendants_left(const std::set<pid_t>& without = {});

/// Ends all descendants of this process, with SIGTERM and after `grace` with SIGKILL, and waits for them. Returns their
/// wait statuses by PID.
std::map<pid_t, int> end_descendants(std::chrono::milliseconds grace);

/// "was killed by signal 9 (Killed)", "exited with 3".
std::string ending_text(int wait_status);

}  // namespace rv::workers
