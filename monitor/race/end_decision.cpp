#include "monitor/race/end_decision.h"

namespace rv::monitor {

bool is_proved(const RunFacts& facts, const RunView& view) {
  return facts.exit || (facts.claim && facts.claim->by_stop) || view.state == RunState::refused;
}

EndDecision decide_end(const RunFacts& facts, const RunView& view, const LookAtEnd& look) {
  if (facts.outcome || !is_final(view.state)) return EndDecision::goes_on;
  if (is_proved(facts, view)) return EndDecision::conclude;
  if (!look.asked || look.job_alive || !look.settled) return EndDecision::wait;
  return EndDecision::conclude;
}

}  // namespace rv::monitor
