#pragma once

#include <string>
#include <vector>

#include "workers/report/report.h"
#include "workers/stress/crew.h"
#include "workers/stress/launch_check.h"

namespace rv::workers {

struct StressOrder {
  int workers = 0;                 ///< 0: twice as many as GPUs, on the processor two
  std::uint64_t memory_mib = 256;  ///< of each of a worker's three matrices
  double duration = 60;
  double reference = 0;  ///< seconds that one GPU (on the processor one worker) works alone before; 0: not
  double silence = 30, start_limit = 120, end_limit = 10;
  bool gpu = true;
  bool skip_stress = false;
  std::vector<std::string> launch;  ///< the user's own launcher; empty: none
  std::vector<std::string> subsets;
  double launch_timeout = 300;
  std::string folder;  ///< for the launcher's logs
  std::string inject;
  bool says_progress = false;  ///< on stderr, where nobody sees the report grow
  int nodes = 1;               ///< on which the whole is run, for who puts the reports together
};

/// Runs the whole on this node and reports it:
///   environment             node, GPUs, what was asked
///   stress/fit              only where it doesn't: an error with needed and free bytes, and nothing else was started
///   stress/worker I         one a worker: operations a second, peak memory, how it ended
///   stress/together         one a GPU, or the processor: what its workers did together, utilisation
///   stress/scaling          all against one GPU alone
///   after/…                 what must be as before (footprint.h)
///   launch/…                one a configuration (launch_check.h); `launcher` where it can't be executed
/// Returns the exit code: that of the verdict, `does_not_fit`, 126 and 127 for the launcher, 128 + N for a signal.
int run_stress(const StressOrder& order, Report& report);

/// SIGINT, SIGTERM and SIGHUP are remembered from here on.
void catch_signals();

}  // namespace rv::workers
