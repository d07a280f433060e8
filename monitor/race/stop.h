// Ending a run on the user's word.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::monitor {

struct StopResult {
  bool already_over = false;  // it had ended before; `cancelled` are jobs that it had left in the queue
  bool was_copying = false;   // it had ended before, and its job was still copying its output
  bool had_started = false;   // user code had begun: it is being ended
  std::vector<slurm::JobKey> cancelled;
  /// Slurm's message if it did not accept the cancellation. Jobs that have not started will not start; a running job
  /// continues until a cancellation succeeds.
  std::string trouble;
  /// Why the stop could not be recorded (a full disk): the jobs were cancelled, and the run ends by what Slurm reports
  /// about them.
  std::string unrecorded;
};

/// Puts the stop into the ledger (so that no candidate can start any more, even if Slurm is away), then cancels the
/// run's jobs: those whose whole name is a candidate's, nothing else. `host` is where that was decided.
StopResult stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host);

struct StopElementsResult {
  std::vector<int> before_start;  // they will not start
  std::vector<int> running;       // they are being ended
  std::vector<int> already_over;
  std::string trouble;  // as in StopResult
};

/// The same for these elements of an array: those that have not begun get their end into their ledgers, by which their
/// jobs step back whenever Slurm starts them; the jobs of those that run are cancelled. The others go on.
StopElementsResult stop_elements(const RunFolder& folder, const std::vector<int>& indices, slurm::Gateway& gateway,
                                 const std::string& host);

}  // namespace rv::monitor
