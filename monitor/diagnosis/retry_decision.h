// Whether a run that broken hardware or a preemption ended is worth starting again. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "monitor/diagnosis/diagnosis.h"

namespace rv::monitor {

/// What the decision needs besides the diagnosis.
struct RetryHistory {
  int retries = 0;                          // attempts so far, besides the first
  std::optional<std::chrono::seconds> ran;  // how long user code ran this time; nothing: it had not begun
  bool may_run_again = false;               // checkpointed, or the user allowed restarts (--requeue)
  std::vector<std::string> excluded;        // nodes that are left out already
};

struct RetryDecision {
  bool retry = false;
  std::vector<std::string> exclude;  // all nodes to leave out, those of `excluded` too, without repeats
  std::string why;                   // in words, for the journal and for people
};

/// The maximum number of retries: a third failure says more about the run than about the nodes.
inline constexpr int most_hardware_retries = 2;

/// What fails later than this has done work that only a checkpoint can save, and is no longer a bad draw of nodes.
inline constexpr std::chrono::seconds early_in_a_run = std::chrono::minutes(10);

/// Yes when hardware is the proved cause, it failed early, user code had not begun or may run again, it was not retried
/// too often, and the bad node is known (a node that Slurm itself lost is down and needs no exclusion). Also when the
/// job was preempted before user code had begun: no work is lost, and nodes are left out only for earlier failures.
RetryDecision retry_decision(const Diagnosis& diagnosis, const RetryHistory& history);

}  // namespace rv::monitor
