// Ending a run on the user's word.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::monitor {

struct Stopped {
  bool already_over = false;  // it had ended before; `cancelled` are jobs that it had left in the queue
  bool was_copying = false;   // it had ended before, and its job was still copying its output
  bool had_started = false;   // user code had begun: it is being ended
  std::vector<slurm::JobKey> cancelled;
  /// Slurm's words when it did not take the order. What has not started will not start all the same; a job that runs
  /// goes on until the order gets through.
  std::string trouble;
  /// Why the stop is not in the run's folder (a full disk): its jobs were cancelled all the same, and the run ends by
  /// what Slurm says of them.
  std::string unrecorded;
};

/// Puts the stop into the ledger (so that no candidate can start any more, even if Slurm is away), then cancels the
/// run's jobs: those whose whole name is a candidate's, nothing else. `host` is where that was decided.
Stopped stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host);

struct StoppedElements {
  std::vector<int> before_start;  // they will not start
  std::vector<int> running;       // they are being ended
  std::vector<int> already_over;
  std::string trouble;  // as in Stopped
};

/// The same for these elements of an array: those that have not begun get their end into their ledgers, by which their
/// jobs step back whenever Slurm starts them; the jobs of those that run are cancelled. The others go on.
StoppedElements stop_elements(const RunFolder& folder, const std::vector<int>& indices, slurm::Gateway& gateway,
                              const std::string& host);

}  // namespace rv::monitor
