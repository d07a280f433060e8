#include "monitor/run/run_facts.h"

#include <unistd.h>

#include <algorithm>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "monitor/run/run_secrets.h"
#include "monitor/run/submit_lock.h"

namespace rv::monitor {
namespace {

OutputCopies read_copies(const RunFolder& folder, const RunFacts& facts) {
  std::vector<std::string> names;
  const auto add = [&](const std::optional<ExitRecord>& exit) {
    if (exit && !exit->copy_name.empty()) names.push_back(exit->copy_name);
  };
  if (facts.record.job.array) {
    for (const auto& element : facts.elements) add(element.exit);
  } else {
    add(facts.exit);
  }
  if (names.empty()) return {};
  auto copies = count_copies(names, os::names_in(folder.file("jobs")));
  if (copies.failed_marks.empty()) return copies;
  constexpr std::size_t most_read = 20;  // of an array, whose elements have the same paths
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < std::min(copies.failed_marks.size(), most_read); ++i) {
    marks.push_back(os::read_file(folder.file("jobs/" + copies.failed_marks[i])).value_or(""));
  }
  copies.trouble = copy_trouble(marks);
  return copies;
}

/// An outcome can be an older rv's, which does not know what later versions record: how the command was kept from its
/// start, and that an attempt without a start hides no earlier end. The entries of jobs and of retries decide.
void correct_outcome(RunFacts& facts) {
  const auto& standing = facts.standing;
  // By a run that follows this one. It knows only that no attempt comes any more (templates/gate/after.inc.sh).
  if (!standing.outcome->more.is_object() && facts.exit) {
    facts.outcome = end_of_exit(*facts.exit, facts.record.job.after, standing.starts.size());
    return;
  }
  std::optional<Outcome> end;
  if (standing.exit && standing.exit->number < standing.outcome->number) {
    end = end_without_start(*facts.exit, facts.record.job.after);
  } else if (!standing.start && !(facts.record.job.array && standing.claim) && !facts.exit && facts.earlier_end) {
    if (facts.earlier_end->state == facts.outcome->state) return;
    end = facts.earlier_end;
    end->detail += "; " + facts.outcome->detail;
  }
  if (!end) return;
  facts.outcome->state = end->state;
  facts.outcome->exit_code = end->exit_code;
  facts.outcome->detail = end->detail;
}

}  // namespace

LedgerRules rules_of(const RunRecord& record) {
  return {.may_restart = record.job.requeue || record.job.chain.has_value(),
          .chain = record.job.chain.has_value(),
          .retries = record.job.retries.has_value()};
}

RunFacts facts_of(const RunRecord& record, std::vector<Entry> ledger, const ElementLedgers& elements,
                  std::vector<Event> events) {
  RunFacts facts;
  facts.record = record;
  facts.ledger = std::move(ledger);
  facts.standing = standing_of(facts.ledger, rules_of(record));
  facts.exit = exit_record(facts.standing.exit);
  facts.outcome = outcome_of(facts.standing);
  facts.earlier_end = earlier_end_of(facts.standing);
  facts.stop_requested = facts.standing.stop.has_value();
  facts.used = used_spans(facts.ledger, elements);
  if (record.job.array) {
    std::vector<Entry> retries;
    std::copy_if(facts.ledger.begin(), facts.ledger.end(), std::back_inserter(retries),
                 [](const Entry& entry) { return entry.kind == EntryKind::retry; });
    facts.elements = elements_of(elements, retries);
    mark_stopped(facts.elements, events);
    if (!facts.exit) facts.exit = end_of_all(facts.elements, record.job.array->elements);
    // The elements' records are beside the ledger, and nothing tells which of them the outcome knew. One that says
    // something else than all of them together did not know all.
    if (facts.outcome && facts.exit && facts.exit->kind == ExitKind::exited) {
      const auto late = outcome_of_late_exit(*facts.exit);
      if (late.state != facts.outcome->state) facts.outcome = late;
    }
  }
  if (facts.outcome) correct_outcome(facts);
  facts.claim = claim_of(facts.standing, facts.has_started());
  facts.events = of_attempt(std::move(events), facts.standing.attempt);
  return facts;
}

RunFacts read_facts(const RunFolder& folder, KnownFacts* known) {
  KnownFacts none;
  if (known == nullptr) known = &none;
  // A folder that is gone is an error, whatever was known of it.
  if (!known->record || ::access(folder.file("run.json").c_str(), F_OK) != 0) known->record = folder.record();
  read_ledger(folder.ledger(), known->ledger);
  if (known->record->job.array) read_element_ledgers(folder.elements(), known->elements);
  auto facts = facts_of(*known->record, known->ledger, known->elements, folder.events(&known->journal));
  if (facts.record.job.chain) facts.segments = read_segments(folder, facts.standing.starts);
  facts.copies = read_copies(folder, facts);
  if (!facts.claim && !facts.outcome) {
    // A run this young has its submitter still starting up. This machine's clock may be an hour behind that of the
    // machine where the run was made, which would make it young for an hour.
    const auto age = std::chrono::abs(std::chrono::system_clock::now() - facts.record.created);
    facts.being_submitted = age < std::chrono::seconds(3) || !SubmitLock::try_take(folder);
  }
  return facts;
}

bool is_over(const RunFolder& folder) {
  const auto entries = read_ledger(folder.ledger());
  return std::any_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.kind == EntryKind::outcome; });
}

bool write_outcome(const RunFolder& folder, const RunFacts& facts, const Outcome& outcome) {
  if (!may_write_outcome(facts.standing)) return false;
  auto entries = facts.ledger;
  if (!append_entry(folder.ledger(), entries, entry_of(outcome, facts.standing.attempt))) return false;
  remove_environment(folder);
  return true;
}

}  // namespace rv::monitor
