// A run races again after broken hardware ended it, without the nodes at fault; after a controller forgot it; or, with
// --retries, after its command failed.
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
  std::optional<JobId> failed;  // the job whose claim is put aside; nothing: none had passed the gate
  int length = 0;               // entries of the ledger by which this was decided: any later one may say otherwise
  std::vector<std::string> exclude;
  std::string why;
  std::vector<int> elements = {};   // of an array, those to be started again; empty: the whole run
  std::optional<Outcome> end = {};  // of the attempt that is over, where its user code had begun
  std::chrono::seconds pause{0};    // before the next attempt, for --retries; 0: none
  std::string last_line = {};       // of the output of the attempt that is over, for --retries
};

/// Another attempt, or why there is none although the user asked for retries (empty: there is nothing to say).
struct RetryAnswer {
  std::optional<Retry> retry = {};
  std::string refusal = {};
};

/// What is on record about earlier attempts.
RetryHistory retry_history(const RunFacts& facts, const RunView& view);

/// `view` is final, and its outcome not written yet. Reads the run's logs; asks Slurm about the job that failed. Never
/// for chains (their segments see to it), what was stopped, and a command that had begun and may run only once.
RetryAnswer worth_retrying(const RunFolder& folder, const RunFacts& facts, const RunView& view,
                           slurm::Gateway& gateway);

/// The same in its pure parts: what can't be retried whatever the cause, and what to do about a cause. Broken hardware
/// comes first, and does not count for --retries.
bool may_be_worth_retrying(const RunFacts& facts, const RunView& view);
RetryAnswer retry_by(const RunFacts& facts, const RunView& view, const RunEvidence& evidence);

/// How the run has ended so far: this attempt, or, where it never began, the last one that did.
std::optional<Outcome> end_so_far(const RunFacts& facts, const RunView& view);
/// The entry that begins another attempt, whose pause begins at `now`. Nothing when something else has been decided
/// since `retry` was.
std::optional<Entry> retry_entry(const RunFacts& facts, const Retry& retry, TimePoint now = {});

/// Begins another attempt in the ledger, so that candidates can be submitted anew. False when something else has been
/// decided meanwhile: user code has begun after all, another process was faster, the run was stopped.
bool reopen_race(const RunFolder& folder, const Retry& retry, const SubmitLock& lock);

}  // namespace rv::monitor
