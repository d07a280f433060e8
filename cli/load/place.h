// A place: where a load runs. Hosts over ssh have theirs in hosts_place.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/load/load.h"

namespace rv::cli {

/// How the work at a place ended. Then nothing of it runs there any more.
struct WorkEnd {
  int interrupted = 0;                      // the exit code after a signal
  std::optional<std::string> no_container;  // the host on which the image could not be started; empty: this machine
  std::vector<WorkTrouble> troubles = {};
};

class LoadPlace {
 public:
  virtual ~LoadPlace() = default;
  /// Checks that the load's options fit, and reaches the place. Returns the exit code if a signal ended that. Throws
  /// Error; nothing has been started then.
  virtual std::optional<int> reach(Load& load) = 0;
  /// Runs the load until it has ended, or a signal ended it. Throws Error if reports can't be written.
  virtual WorkEnd run(Load& load) = 0;
  /// The end after a signal, for the user: "ended on all hosts".
  virtual std::string interrupted_text() const = 0;
};

/// Runs the load at the place and judges it; with --dry-run only checks, and prints what would run. Returns the exit
/// code. Throws Error.
int run_load(Load& load, LoadPlace&& place);

}  // namespace rv::cli
