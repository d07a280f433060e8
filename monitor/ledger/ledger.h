// The ledger of a run: all decisions about it, in one order for all processes. Pure; ledger_folder.h reads and writes
// entries.
//
// A ledger is a folder of numbered entries without gaps. Each entry is made once, by link(2), and is never changed or
// removed. To decide something, a process reads the ledger to its end, checks that the rules below allow the decision,
// and makes the next entry. If another process was faster, it reads that entry and applies the rules again. So
// decisions have the same order on every machine. Clocks don't matter, and neither does a file system that shows new
// files late: with an old view, making the next entry fails. docs/run-folder.md describes the protocol;
// templates/gate/ledger.inc.sh is the part that jobs run.
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
  claim,     // by a job: its candidate has won the present attempt
  postpone,  // by a job: it has gone back into the queue as another job
  start,     // by the job that holds the claim: user code begins (in a chain: a segment begins)
  exit,      // by that job: how the command ended
  stop,      // by a client: rv stop; no job may start user code any more
  retry,     // by a client: the present attempt is over, the next one begins
  outcome,   // by a client: how the run ended; no job may start user code any more
};

/// One entry of the ledger.
struct Entry {
  int number = 0;  // position in the ledger, from 1
  EntryKind kind = EntryKind::claim;
  int attempt = 1;    // of the writer; for a retry: the attempt that begins
  int candidate = 0;  // of the job that wrote the entry; 0: a client wrote it
  JobId job;
  int restart = 0;          // number of times that Slurm had restarted the job
  std::string word = "-";   // start: number of the segment, 0 outside chains; exit: its ExitKind; outcome: the state
  std::optional<int> code;  // exit, outcome: exit code of the command
  std::string node = "-";   // the machine that wrote it
  TimePoint time;           // by the writer's clock: for people, no decision depends on it
  std::string token = "-";  // of the writer: it finds its own entry if link(2) returned a false error
  std::string nodes = "-";  // start: nodes of the job, as Slurm writes them
  nlohmann::json more = nullptr;  // details of exit, retry and outcome entries: docs/run-folder.md lists the members
};

/// Returns the entry as one line with its newline. Fields are separated by single blanks; the JSON comes last.
std::string to_line(const Entry& entry);
/// Reads a line; nothing if it is incomplete or its kind is unknown.
std::optional<Entry> parse_entry(std::string_view line);

/// Whether the command was asked to end, by SIGTERM or by a preemption.
bool was_terminated(const Entry& exit);

/// What run.json allows about starts.
struct LedgerRules {
  bool may_restart = false;  // user code may start again after it had begun
  bool chain = false;        // later segments can be other jobs of the candidate that won
  bool retries = false;      // another attempt may follow one whose end is recorded
};

/// The state that follows from all entries. An entry that the rules did not allow, such as one of a job that had lost
/// the claim meanwhile, is ignored.
struct Standing {
  int length = 0;                           // number of entries
  int attempt = 1;                          // the present attempt
  std::optional<Entry> claim, start, exit;  // of the present attempt: its claim, its last start, and the exit after it
  std::optional<Entry> stop, outcome;
  std::optional<Entry> retry;         // the entry that began the present attempt
  std::optional<Entry> earlier_exit;  // the last exit in the attempts before
  std::set<JobId> postponed;          // jobs of the present attempt that went back into the queue
  std::vector<Entry> starts;          // all starts of the present attempt

  /// Whether the command has ended and is not started again. After an exit that was requested (SIGTERM, preemption),
  /// that is not certain if user code may restart.
  bool has_ended(const LedgerRules& rules) const;
};

/// Applies the entries in their order.
Standing standing_of(std::span<const Entry> entries, const LedgerRules& rules);

/// One start of a job, from its environment.
struct JobIdentity {
  int attempt = 1;
  int candidate = 1;
  JobId job;
  int restart = 0;  // how often Slurm had started the job before
};

/// What a job must do next.
enum class Verdict {
  claim,    // no job has the claim: make the claim entry
  pass,     // the job has the claim
  start,    // the job has the claim, and user code may begin: make the start entry
  behind,   // this view of the ledger does not show the job's attempt yet: read again
  yield,    // another job has the claim, the job's attempt is over, or the same job has started again since
  stopped,  // rv stop has added its entry
  over,     // the run has ended
  refused,  // user code had started before, and may not start twice
};

std::string_view to_string(Verdict verdict);

/// The verdict at the gate, and in a chain before each segment.
Verdict at_gate(const Standing& standing, const JobIdentity& job, const LedgerRules& rules);
/// The verdict before user code starts.
Verdict at_start(const Standing& standing, const JobIdentity& job, const LedgerRules& rules);

// --- what a client may decide
// ------------------------------------------------------------------------------------------

/// Whether rv stop may add its entry: as long as the run has not ended.
bool may_stop(const Standing& standing, const LedgerRules& rules);
/// Whether another attempt may begin. It may not after a stop or an outcome. After a start it may if user code may run
/// again, or if the run has retries and the end of the command is recorded. `failed`: the job whose failure is the
/// reason; nothing if no job had the claim.
bool may_retry(const Standing& standing, std::optional<JobId> failed, const LedgerRules& rules);
/// Whether the run has ended and another attempt may still follow. A client that stops such a run writes its outcome,
/// so that none follows.
bool may_follow_end(const Standing& standing, const LedgerRules& rules);
/// Whether an outcome may be written: only one is. An exit entry that the job writes later takes precedence over it.
bool may_write_outcome(const Standing& standing);

// --- elements of an array
// ----------------------------------------------------------------------------------------------
//
// All elements share the run's claim. Each element has its own ledger with its starts and exits.

/// The state of one element.
struct ElementStanding {
  int length = 0;
  std::optional<Entry> start, exit;
};
/// Applies the entries of the element's ledger. `attempt`: the last attempt that includes the element.
ElementStanding element_standing(std::span<const Entry> entries, int attempt);
/// Whether rv stop --element may end the element before it begins: it has neither a start nor an end.
bool may_stop_element(const ElementStanding& element, const Standing& run, const LedgerRules& rules);
/// Whether the element has ended and is not started again.
bool element_has_ended(const ElementStanding& element, const LedgerRules& rules);
/// The verdict before user code of an element starts. `run`: the state of the run's ledger.
Verdict at_element_start(const ElementStanding& element, const Standing& run, const JobIdentity& job,
                         const LedgerRules& rules);

}  // namespace rv::monitor
