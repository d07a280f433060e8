// The contents of a run folder, read at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/run/elements.h"
#include "monitor/run/run_end.h"
#include "monitor/run/run_folder.h"
#include "monitor/run/segments.h"
#include "monitor/run/used_time.h"

namespace rv::monitor {

struct RunFacts {
  RunRecord record;
  std::vector<Entry> ledger;  // all entries
  Standing standing;          // the state that follows from all entries
  std::vector<Event> events;  // of the present attempt and of the whole run
  std::optional<Claim> claim;
  std::optional<ExitRecord> exit;
  std::optional<Outcome> outcome;
  std::optional<Outcome> earlier_end;  // see earlier_end_of()
  bool stop_requested = false;         // rv stop has added its entry to the ledger
  std::vector<Segment> segments;       // of a chain
  std::vector<Element> elements;       // of an array
  std::vector<UsedSpan> used;          // of all attempts
  OutputCopies copies;                 // of `--output`
  bool being_submitted = false;        // another process holds the submit lock

  /// The job name of the candidate in the present attempt.
  std::string job_name(const Candidate& candidate) const { return job_name_of(candidate, standing.attempt); }
  /// Whether user code has started in the present attempt; for an array, whether an element has begun.
  bool has_started() const { return standing.start.has_value() || !elements.empty(); }
};

/// Records from earlier polls that can't change any more.
struct KnownFacts {
  std::optional<RunRecord> record;
  std::vector<Entry> ledger;
  ElementLedgers elements;
  JournalCache journal;
};

LedgerRules rules_of(const RunRecord& record);

/// Combines the records. Pure: it does not set `segments`, `copies` and `being_submitted`, which need the disk.
RunFacts facts_of(const RunRecord& record, std::vector<Entry> ledger, const ElementLedgers& elements,
                  std::vector<Event> events);

/// Reads the folder. With `known`, it reads only what `known` does not contain, and adds that to `known`. Throws Error
/// if the folder is gone or can't be read.
RunFacts read_facts(const RunFolder& folder, KnownFacts* known = nullptr);

/// Whether the command has ended, and no mark says that the copy of its output has ended too. Only Slurm knows whether
/// the job is still copying.
inline bool copy_is_open(const RunFacts& facts) {
  return !facts.outcome && facts.copies.unfinished();
}

/// Whether the ledger has an outcome.
bool is_over(const RunFolder& folder);

/// Adds the outcome to the ledger. Returns false if the ledger has changed since `facts` were read, or may not have an
/// outcome yet: the caller must read the facts again.
bool write_outcome(const RunFolder& folder, const RunFacts& facts, const Outcome& outcome);

}  // namespace rv::monitor
