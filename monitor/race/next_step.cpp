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

bool has_unsubmitted(const RunFacts& facts) {
  if (facts.claim || facts.stop_requested || facts.being_submitted) return false;
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  return std::any_of(journals.begin(), journals.end(),
                     [](const auto& one) { return !one.job.has_value() && one.refusal.empty(); });
}

}  // namespace rv::monitor
