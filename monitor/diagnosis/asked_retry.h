// Decides whether a run with --retries is started again after its command failed. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "monitor/diagnosis/diagnosis.h"
#include "templates/job_spec.h"

namespace rv::monitor {

/// The inputs of the decision besides the diagnosis.
struct AskedHistory {
  RunState state = RunState::failed;        // of the attempt that is over
  std::optional<int> exit_code;             // exit code of the command
  int used = 0;                             // number of retries so far because of --retries
  std::optional<std::chrono::seconds> ran;  // how long user code ran this time; nothing: it had not begun
  std::string last_line;                    // of this attempt's output; empty: none
  std::string line_before;                  // of the attempt before; empty: no output
};

struct AskedDecision {
  bool retry = false;
  std::chrono::seconds pause{0};  // before the next attempt
  std::string why;                // the failure, or why it is not retried
};

/// If two attempts end with the same line of output, and the second ends this early, further attempts would end in the
/// same way.
inline constexpr std::chrono::seconds early_repeat = std::chrono::minutes(2);

/// Returns the pause before retry `number`, from 1: 10 seconds, doubled for each earlier retry, 10 minutes at most.
std::chrono::seconds pause_before_retry(int number);

/// Returns a retry if --retry-on includes the failure (without it, any exit code other than 0 is included), retries are
/// left, and the failure is not a repetition. Never for a run that ended well, was stopped or was cancelled.
AskedDecision asked_retry(const templates::Retries& asked, const Diagnosis& diagnosis, const AskedHistory& history);

}  // namespace rv::monitor
