#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rv::workers {

/// A process that outlived who started it.
struct LeftProcess {
  pid_t pid = 0;
  std::string command;        ///< its words, or its name where it hides them
  std::optional<int> worker;  ///< by RV_STRESS_WORKER in its environment
  bool zombie = false;        ///< ended, and nobody has asked how
};

/// All that descend from this process, but for `without`.
std::vector<LeftProcess> descendants_left(const std::set<pid_t>& without = {});

/// Ends all that descend from this process, SIGTERM first and SIGKILL after `grace`, and waits for their ends. The
/// wait statuses by PID.
std::map<pid_t, int> end_descendants(std::chrono::milliseconds grace);

/// "was killed by signal 9 (Killed)", "exited with 3".
std::string ending_text(int wait_status);

}  // namespace rv::workers
