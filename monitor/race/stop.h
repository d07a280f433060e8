// Stops a run, or elements of an array, as the user requested.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::monitor {

struct StopResult {
  bool already_over = false;  // the run had ended before; `cancelled` are jobs that it had left in the queue
  bool was_copying = false;   // the command had ended before, and its job was still copying the output
  bool had_started = false;   // the command had begun, and is being ended
  bool ran_before = false;    // it had begun in an earlier attempt, which is over
  std::vector<slurm::JobKey> cancelled;
  /// Slurm's message if it did not accept the cancellation. Jobs that have not started will not start; a running job
  /// continues until a cancellation succeeds.
  std::string trouble;
  /// Why the stop could not be recorded (a full disk): the jobs were cancelled, and the run ends by what Slurm reports
  /// about them.
  std::string unrecorded;
};

/// Adds the stop to the ledger, so that no candidate can start any more, even if Slurm does not answer. Then it cancels
/// the run's jobs: only jobs whose full name is that of a candidate. `host`: the name of this machine, for the record.
StopResult stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host);

struct StopElementsResult {
  std::vector<int> before_start;  // elements that will not start
  std::vector<int> running;       // elements that are being ended
  std::vector<int> already_over;
  std::string trouble;  // as in StopResult
};

/// Stops these elements of an array; the other elements continue. An element that has not begun gets an end in its
/// ledger: its job exits when Slurm starts it. The jobs of running elements are cancelled.
StopElementsResult stop_elements(const RunFolder& folder, const std::vector<int>& indices, slurm::Gateway& gateway,
                                 const std::string& host);

}  // namespace rv::monitor
