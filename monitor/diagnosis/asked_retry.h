// Whether a run with --retries is started again after its command failed. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "monitor/diagnosis/diagnosis.h"
#include "templates/job_spec.h"

namespace rv::monitor {

/// What the decision needs besides the diagnosis.
struct AskedHistory {
  RunState state = RunState::failed;        // of the attempt that is over
  std::optional<int> exit_code;             // the command's own
  int used = 0;                             // retries so far by --retries
  std::optional<std::chrono::seconds> ran;  // how long user code ran this time; nothing: it had not begun
  std::string last_line;                    // of this attempt's output; empty: none
  std::string line_before;                  // the same of the attempt before
};

struct AskedDecision {
  bool retry = false;
  std::chrono::seconds pause{0};  // before the next attempt
  std::string why;                // the failure, or why it is not retried
};

/// Two attempts that end with the same line of output, the second of them this early, would end so for ever.
inline constexpr std::chrono::seconds early_repeat = std::chrono::minutes(2);

/// Before the retry of this number, from 1: 10 seconds, doubled for each retry before, 10 minutes at most.
std::chrono::seconds pause_before_retry(int number);

/// Yes if --retry-on includes the failure (without it, any exit code other than 0 is included), retries are left, and
/// the failure is not a repetition. Never for a run that ended well, was stopped or was cancelled.
AskedDecision asked_retry(const templates::Retries& asked, const Diagnosis& diagnosis, const AskedHistory& history);

}  // namespace rv::monitor
