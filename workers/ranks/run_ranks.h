#pragma once

#include <functional>

#include "workers/devices/fault.h"
#include "workers/ranks/peer.h"
#include "workers/ranks/ranks.h"
#include "workers/report/report.h"

namespace rv::workers {

struct Launch {
  std::string program;  ///< its name, for those who wait
  Ranks ranks;
  std::string token;
  std::string step;  ///< its name among the steps of a run, each of which has a key of its own; empty: not named
  Deadlines deadlines;
  bool allow_skip = false;
  Fault fault;  ///< for tests: what goes wrong on purpose
};

/// Starts this process's ranks, each in a process of its own, and looks after them until the last has ended; nothing
/// is left behind, whatever hangs. Where rank 0 is among them, all ranks of the run meet here and their reports go to
/// `report`; a run that ends before its end becomes an error there that names who did it. Elsewhere `report` is not
/// touched. Returns the exit code, the same on every host. Call it before anything touches CUDA.
int run_ranks(const Launch& launch, Report& report, const std::function<void(Peer&)>& work);

/// What a rank's message adds to the report: a measurement, with kind "environment" the environment and its text, or
/// with kind "exit" the `code` to leave with in place of the `verdict`'s (without one: a skip's).
void add_line(Report& report, const Json& line);

}  // namespace rv::workers
