// Decides whether a run that broken hardware or a preemption ended is started again. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "monitor/diagnosis/diagnosis.h"

namespace rv::monitor {

/// The inputs of the decision besides the diagnosis.
struct RetryHistory {
  int retries = 0;                          // attempts so far, without the first
  std::optional<std::chrono::seconds> ran;  // how long user code ran this time; nothing: it had not begun
  bool may_run_again = false;               // checkpointed, or the user allowed restarts (--requeue)
  std::vector<std::string> excluded;        // nodes that are excluded already
};

struct RetryDecision {
  bool retry = false;
  std::vector<std::string> exclude;  // all nodes to exclude, including RetryHistory::excluded, without duplicates
  std::string why;                   // text for the journal and for people
};

/// The maximum number of retries: a third failure says more about the run than about the nodes.
inline constexpr int most_hardware_retries = 2;

/// A run that fails later than this has done work that only a checkpoint can save; a bad choice of nodes shows earlier.
inline constexpr std::chrono::seconds early_in_a_run = std::chrono::minutes(10);

/// Returns a retry in two cases:
/// - Hardware is the proved cause, the failure came early, user code had not begun or may run again, there were fewer
///   than `most_hardware_retries`, and the bad node is known. A node that Slurm itself lost is down and needs no
///   exclusion.
/// - The job was preempted before user code had begun: no work is lost, and only nodes of earlier failures are
///   excluded.
RetryDecision retry_decision(const Diagnosis& diagnosis, const RetryHistory& history);

}  // namespace rv::monitor
