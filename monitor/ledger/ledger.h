// What has been decided about a run, in one order for all processes. Pure; ledger_folder.h reads and makes
// entries.
//
// A run's ledger is a folder of numbered entries without gaps. Each is made once, by link(2), and never changes or goes
// away. Who wants to decide something reads the ledger to its end, sees whether the rules below allow it, and makes the
// next entry; if another process was faster, it reads that entry and applies the rules again. So decisions have one
// order on every machine, whatever the clocks say and however late a file system shows what others wrote: an old view
// can only make the next number fail. docs/run-folder.md has the protocol; templates/gate/ledger.inc.sh is its other
// side.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/parse/job_records.h"

namespace rv::monitor {

using slurm::JobId;
using slurm::TimePoint;

enum class EntryKind {
  claim,     // by a job: the present attempt is its candidate's
  postpone,  // by a job: it has gone back into the queue as another job
  start,     // by the job that holds the claim: user code begins (a segment of it, in a chain)
  exit,      // by that job: how the command ended
  stop,      // by a client: nothing of the run starts any more
  retry,     // by a client: the present attempt is over, the next one begins
  outcome,   // by a client: how the run ended; nothing starts any more
};

/// One entry. A job's has its candidate, a client's has candidate 0.
struct Entry {
  int number = 0;  // its place in the ledger, from 1
  EntryKind kind = EntryKind::claim;
  int attempt = 1;  // of the writer; of a retry the one that begins
  int candidate = 0;
  JobId job;
  int restart = 0;                // Slurm's count of the job's starts before this one
  std::string word = "-";         // start: the segment's number, 0 outside chains; exit: how; outcome: the state
  std::optional<int> code;        // exit, outcome: the command's own
  std::string node = "-";         // where it was written
  TimePoint time;                 // by the writer's clock: for people, nothing is decided by it
  std::string token = "-";        // the writer's own: by it a writer knows its entry when link(2) gave a wrong answer
  std::string nodes = "-";        // start: as Slurm writes them
  nlohmann::json more = nullptr;  // retry: exclude, why, elements, jobs, end; outcome: detail
};

/// One line, newline included. Fields are separated by single blanks, the JSON comes last.
std::string to_line(const Entry& entry);
/// Nothing when the line is torn or of a kind that is not known.
std::optional<Entry> parse_entry(std::string_view line);

/// The command was asked to end, by TERM or by a preemption.
bool was_terminated(const Entry& exit);

/// What the run's record says about its starts.
struct LedgerRules {
  bool may_restart = false;  // user code may be started again after it had begun
  bool chain = false;        // later segments can be jobs of their own, of the candidate that won
  bool retries = false;      // an attempt whose end is on record may be followed by another one
};

/// What a ledger's entries say together. An entry that the rules did not allow (a job's that lost the claim meanwhile)
/// counts for nothing.
struct Standing {
  int length = 0;                           // entries
  int attempt = 1;                          // the present one
  std::optional<Entry> claim, start, exit;  // of the present attempt; the start is the last one, the exit came after it
  std::optional<Entry> stop, outcome;
  std::optional<Entry> retry;         // the one that began the present attempt
  std::optional<Entry> earlier_exit;  // the last one of the attempts before
  std::set<JobId> postponed;          // of the present attempt
  std::vector<Entry> starts;          // of the present attempt, all of them

  /// The command has come to its end and is not started again. An end after such a request leaves that open where
  /// the job may be started again.
  bool has_ended(const LedgerRules& rules) const;
};

Standing standing_of(std::span<const Entry> entries, const LedgerRules& rules);

/// One start of a job, as it knows itself.
struct JobIdentity {
  int attempt = 1;
  int candidate = 1;
  JobId job;
  int restart = 0;  // Slurm's count of its starts before this one
};

/// What a job has to do next.
enum class Verdict {
  claim,    // no job holds the claim: make it
  pass,     // the claim is its own
  start,    // the same, and user code may begin: make the start
  behind,   // it belongs to an attempt that this view of the ledger does not show yet: read again
  yield,    // the claim is another job's, the attempt an earlier one, or the job has begun again in a later start
  stopped,  // rv stop was here
  over,     // the run has ended
  refused,  // it had started before, and may not start twice
};

std::string_view to_string(Verdict verdict);

/// At the gate, and for a chain before each segment.
Verdict at_gate(const Standing& standing, const JobIdentity& job, const LedgerRules& rules);
/// Before user code.
Verdict at_start(const Standing& standing, const JobIdentity& job, const LedgerRules& rules);

// --- what a client may decide
// ------------------------------------------------------------------------------------------

/// rv stop: as long as there is no end.
bool may_stop(const Standing& standing, const LedgerRules& rules);
/// Another attempt: never after a stop or an outcome. After a start only where user code may run again, or where the
/// run has retries and the command's end is on record. `failed` is the job that the decision was made about (nothing:
/// no job held the claim).
bool may_retry(const Standing& standing, std::optional<JobId> failed, const LedgerRules& rules);
/// The run has ended and another attempt may still follow. Who was asked to stop it writes the outcome, which rules
/// that out.
bool may_follow_end(const Standing& standing, const LedgerRules& rules);
/// An outcome is written once. A later exit record of the job itself still counts more than it.
bool may_write_outcome(const Standing& standing);

// --- elements of an array
// ----------------------------------------------------------------------------------------------
//
// All elements hold the run's claim together. Each has a ledger of its own with its starts and exits.

/// Where one element stands. `wanted` is the last attempt that was made for it.
struct ElementStanding {
  int length = 0;
  std::optional<Entry> start, exit;
};
ElementStanding element_standing(std::span<const Entry> entries, int wanted);
/// rv stop --element before the element has begun: as long as it has neither a start nor an end.
bool may_stop_element(const ElementStanding& element, const Standing& run, const LedgerRules& rules);
/// The element has ended and is not started again.
bool element_has_ended(const ElementStanding& element, const LedgerRules& rules);
/// Before user code of an element, whose run's ledger says `run`.
Verdict at_element_start(const ElementStanding& element, const Standing& run, const JobIdentity& job,
                         const LedgerRules& rules);

}  // namespace rv::monitor
