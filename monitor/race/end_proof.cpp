#include "monitor/race/end_proof.h"

namespace rv::monitor {

namespace {

// It was asked to end and may run again: its job can be requeued at any moment.
bool may_go_on(const RunFacts& facts) {
  return was_terminated(facts.exit->kind) && rules_of(facts.record).may_restart && !facts.stop_requested;
}

}  // namespace

bool is_proved(const RunFacts& facts, const RunView& view) {
  return (facts.exit && !may_go_on(facts) && !facts.copies.unfinished() && !view.unexplained_term) ||
         (facts.claim && facts.claim->by_stop) || view.state == RunState::refused;
}

bool is_certain_end(const RunFacts& facts, const RunView& view, const EndObservation& observed) {
  if (facts.outcome || !is_final(view.state)) return false;
  return is_proved(facts, view) || (observed.asked && !observed.job_alive && observed.settled);
}

}  // namespace rv::monitor
