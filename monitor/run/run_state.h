// The states a run can be in, as rv ps prints them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rv::monitor {

enum class RunState {
  submitting,   // some rv is at it
  unsubmitted,  // its rv died before any candidate was accepted
  queued,       // candidates wait
  starting,     // nodes are assigned, user code has not begun
  running,
  holding,  // rv up: the GPUs are the user's
  ending,   // over, the exact end is not known yet
  done,     // exit code 0, or a released allocation
  failed,   // the command's own exit code is not 0
  timeout,
  stopped,  // by rv stop, Ctrl-C or scancel
  node_failure,
  preempted,
  out_of_memory,
  refused,  // no candidate was accepted by Slurm
  lost,     // ended with an unknown exit code
  unknown,  // neither the controller nor accounting answers for its job
};

/// Every state once, in the order of the list above.
std::vector<RunState> all_run_states();
std::string_view to_string(RunState state);
std::optional<RunState> run_state_from(std::string_view name);
/// Nothing about the run will change any more.
bool is_final(RunState state);

}  // namespace rv::monitor
