// The states a run can be in, as rv ps prints them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rv::monitor {

enum class RunState {
  submitting,   // an rv process submits its candidates
  unsubmitted,  // that process ended before a candidate was accepted, and none resumed the race within ten minutes
  queued,       // candidates wait
  starting,     // nodes are assigned, user code has not begun
  running,
  holding,  // rv up: the user has the GPUs
  ending,   // the command or its job has ended; the outcome is not recorded yet
  done,     // exit code 0, or a released allocation
  failed,   // the command's own exit code is not 0
  timeout,
  stopped,  // by rv stop, Ctrl-C or scancel
  node_failure,
  preempted,
  out_of_memory,
  refused,  // no candidate was accepted by Slurm
  lost,     // ended with an unknown exit code
  unknown,  // neither the controller nor accounting has its job
};

/// Returns each state once, in the order of the enumeration.
std::vector<RunState> all_run_states();
std::string_view to_string(RunState state);
std::optional<RunState> run_state_from(std::string_view name);
/// Whether a run in this state is over for good.
bool is_final(RunState state);

}  // namespace rv::monitor
