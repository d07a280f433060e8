// Retries: a run begins another attempt, with a new race. There are three reasons: broken hardware ended the attempt
// (the next one excludes the nodes), the controller lost its jobs, or the command failed and --retries allows another
// attempt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/diagnosis/asked_retry.h"
#include "monitor/diagnosis/retry_decision.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/submit.h"
#include "monitor/run/retry_record.h"
#include "monitor/run/run_facts.h"
#include "slurm/gateway.h"

namespace rv::monitor {

struct Retry {
  std::optional<JobId> failed;  // the job whose claim ends with this attempt; nothing: no job had passed the gate
  bool ids_return = false;      // the controller lost its jobs, and gives their IDs to other jobs
  int length = 0;               // number of ledger entries at the decision; any later entry invalidates it
  std::vector<std::string> exclude;
  std::string why;
  std::vector<int> elements = {};   // elements of an array that are started again; empty: the whole run
  std::optional<Outcome> end = {};  // end of the attempt that is over; nothing if its user code had not begun
  std::chrono::seconds pause{0};    // before the next attempt, for --retries; 0: none
  std::string last_line = {};       // last line of output of the attempt that is over, for --retries
};

/// The retry, or nothing. `refusal`: why there is no retry although the user gave --retries; else empty.
struct RetryAnswer {
  std::optional<Retry> retry = {};
  std::string refusal = {};
};

/// Reads the history of earlier attempts from the records.
RetryHistory retry_history(const RunFacts& facts, const RunView& view);

/// Decides whether a run begins another attempt. Reads the run's logs, and queries Slurm for the job that failed.
/// `view` is final and the run has no outcome. It never retries a chain (its segments are submitted again instead), a
/// run that was stopped, or a command that has begun and may run only once.
RetryAnswer worth_retrying(const RunFolder& folder, const RunFacts& facts, const RunView& view,
                           slurm::Gateway& gateway);

/// The two pure parts of worth_retrying. The first decides without the cause of the failure, the second by its cause. A
/// retry after broken hardware is considered first, and does not count for --retries.
bool may_be_worth_retrying(const RunFacts& facts, const RunView& view);
RetryAnswer retry_by(const RunFacts& facts, const RunView& view, const RunEvidence& evidence);

/// Returns the end of this attempt; if it never started the command, the end of the last attempt that did, or else a
/// failed preflight.
std::optional<Outcome> end_so_far(const RunFacts& facts, const RunView& view);
/// Returns the ledger entry that begins another attempt, whose pause begins at `now`. Nothing if the ledger has changed
/// since `retry` was decided.
std::optional<Entry> retry_entry(const RunFacts& facts, const Retry& retry, TimePoint now = {});

/// Begins another attempt in the ledger; then its candidates can be submitted. Returns false if the ledger has changed
/// meanwhile: user code has begun, another process was faster, or the run was stopped.
bool reopen_race(const RunFolder& folder, const Retry& retry, const SubmitLock& lock);

}  // namespace rv::monitor
