#pragma once

#include <string>
#include <vector>

#include "workers/report/report.h"
#include "workers/stress/crew.h"
#include "workers/stress/launch_check.h"

namespace rv::workers {

struct StressOrder {
  int workers = 0;                 ///< 0: two per GPU; on the CPU two
  std::uint64_t memory_mib = 256;  ///< of each of the three matrices of a worker
  double duration = 60;
  double reference = 0;  ///< seconds that one GPU (on the CPU one worker) works by itself first; 0: skip this
  double silence = 30, start_limit = 120, end_limit = 10;
  bool gpu = true;
  bool skip_stress = false;
  std::vector<std::string> launch;  ///< the user's own launcher; empty: none
  std::vector<std::string> subsets;
  double launch_timeout = 300;
  std::string folder;  ///< for the launcher's logs
  std::string inject;
  bool says_progress = false;  ///< print progress on stderr
  int nodes = 1;               ///< number of nodes of the test, for the judgement of the reports
};

/// Runs the test on this node and reports it:
///   environment             node, GPUs, request
///   stress/fit              only if the workers do not fit: an error with needed and free bytes; nothing was started
///   stress/worker I         one per worker: operations per second, peak memory, how it ended
///   stress/together         one per GPU, or for the CPU: the sum over its workers, utilisation
///   stress/scaling          all GPUs compared with one GPU by itself
///   after/…                 what must be as before (footprint.h)
///   launch/…                one per configuration (launch_check.h); `launcher` if it can't be executed
/// Returns the exit code: that of the verdict, `does_not_fit`, 126 and 127 for the launcher, 128 + N for a signal.
int run_stress(const StressOrder& order, Report& report);

/// From this call on SIGINT, SIGTERM and SIGHUP only set a flag.
void catch_signals();

}  // namespace rv::workers
