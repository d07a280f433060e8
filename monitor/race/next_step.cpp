#include "monitor/race/next_step.h"

#include <algorithm>

#include "monitor/race/unknown_to_slurm.h"

namespace rv::monitor {
namespace {

bool is_open_end(const RunFacts& facts, const RunView& view) {
  return !facts.outcome && is_final(view.state);
}

}  // namespace

NextStep next_step(const RunFacts& facts, const RunView& view, const LookAtEnd& look, bool wanted) {
  if (!is_open_end(facts, view)) return NextStep::show;
  if (wanted && forgotten_race(facts, view)) return NextStep::race_again;
  return decide_end(facts, view, look) == EndDecision::wait ? NextStep::wait : NextStep::end;
}

bool needs_look(const RunFacts& facts, const RunView& view, bool wanted) {
  return is_open_end(facts, view) && !is_proved(facts, view) && !(wanted && forgotten_race(facts, view));
}

std::vector<FoundJob> unrecorded_jobs(const RunFacts& facts, const QueueView& queue) {
  std::vector<FoundJob> found;
  if (facts.claim || facts.record.array) return found;
  const auto journals = journals_of(facts);
  for (const auto& row : live_jobs(facts, queue)) {
    for (const auto& candidate : facts.record.candidates) {
      const auto& journal = journals[static_cast<std::size_t>(candidate.number - 1)];
      // Who submits is still about to write the ID down itself.
      if (row.name != facts.job_name(candidate) || !journal.job || facts.being_submitted) continue;
      if (std::find(journal.jobs.begin(), journal.jobs.end(), row.id) != journal.jobs.end()) continue;
      found.push_back({candidate.number, row.id});
    }
  }
  return found;
}

bool has_unsubmitted(const RunFacts& facts) {
  if (facts.claim || facts.stop_requested || facts.being_submitted) return false;
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  return std::any_of(journals.begin(), journals.end(),
                     [](const auto& one) { return !one.job.has_value() && one.refusal.empty(); });
}

}  // namespace rv::monitor
