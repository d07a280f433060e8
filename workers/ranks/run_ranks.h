#pragma once

#include <functional>

#include "workers/devices/fault.h"
#include "workers/ranks/peer.h"
#include "workers/ranks/ranks.h"
#include "workers/report/report.h"

namespace rv::workers {

struct Launch {
  std::string program;  ///< its name, for progress lines
  Ranks ranks;
  std::string token;
  std::string step;  ///< its name among the steps of a run, each of which has its own key; empty: no name
  Deadlines deadlines;
  bool allow_skip = false;
  Fault fault;  ///< for tests: an injected fault
};

/// Starts the ranks of this process, each in its own child process, and supervises them until the last has ended; no
/// process is left behind, even if one hangs. If rank 0 is among them, the coordinator runs here and all reports of the
/// run go to `report`; a failed run adds an error there that names the ranks that caused it. Otherwise `report` is not
/// used. Returns the exit code, which is the same on every host. Call it before the first use of CUDA.
int run_ranks(const Launch& launch, Report& report, const std::function<void(Peer&)>& work);

/// Adds a rank's message to the report: a measurement; with kind "environment" the environment and its text; with kind
/// "exit" the exit code `code` in place of that of `verdict` (default: of a skip).
void add_line(Report& report, const Json& line);

}  // namespace rv::workers
