// Everything a run folder says, read at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/run/elements.h"
#include "monitor/run/run_end.h"
#include "monitor/run/run_folder.h"
#include "monitor/run/segments.h"

namespace rv::monitor {

struct RunFacts {
  RunRecord record;
  std::vector<Entry> ledger;  // all that has been decided
  Standing standing;          // what that says together
  std::vector<Event> events;  // of the present attempt
  std::optional<Claim> claim;
  std::optional<ExitRecord> exit;
  std::optional<Outcome> outcome;
  std::optional<Outcome> earlier_end;  // of an attempt before the present one; see earlier_end_of()
  bool stop_requested = false;         // rv stop was here
  std::vector<Segment> segments;       // of a chain
  std::vector<Element> elements;       // of an array
  OutputCopies copies;                 // of `--output`
  bool being_submitted = false;        // another process holds the submit lock

  /// What the candidate's jobs of the present attempt are called.
  std::string job_name(const Candidate& candidate) const { return job_name_of(candidate, standing.attempt); }
  /// User code has begun, in this attempt.
  bool has_started() const { return standing.start.has_value() || !elements.empty(); }
};

/// What earlier polls have read and will not change any more.
struct KnownFacts {
  std::optional<RunRecord> record;
  std::vector<Entry> ledger;
  ElementLedgers elements;
  JournalCache journal;
};

LedgerRules rules_of(const RunRecord& record);

/// What these records say together. Pure; `segments`, `copies` and `being_submitted` are not in them.
RunFacts facts_of(const RunRecord& record, std::vector<Entry> ledger, const ElementLedgers& elements,
                  std::vector<Event> events);

/// `known` is read on from, and brought up to date. Throws Error when the folder is gone or can't be read.
RunFacts read_facts(const RunFolder& folder, KnownFacts* known = nullptr);

/// The command has ended and no mark says that the copy of its output has. Whether its job still is at it only Slurm
/// knows.
inline bool copy_is_open(const RunFacts& facts) {
  return !facts.outcome && facts.copies.unfinished();
}

/// Whether an outcome has been written down.
bool is_over(const RunFolder& folder);

/// Writes down how the run ended, going by `facts`. False when something has been decided meanwhile: then the facts
/// have to be read again before anything is concluded.
bool write_outcome(const RunFolder& folder, const RunFacts& facts, const Outcome& outcome);

}  // namespace rv::monitor
