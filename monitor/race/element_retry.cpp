#include "monitor/race/element_retry.h"

#include <algorithm>

#include "monitor/diagnosis/diagnosis.h"
#include "monitor/run/elements.h"

namespace rv::monitor {
namespace {

constexpr std::size_t most_failures = 64;

bool failed(const Element& element) {
  return element.exit && element.exit->kind == ExitKind::exited && element.exit->code != 0;
}

}  // namespace

std::optional<Retry> element_retry(const RunFacts& facts, const RunView& view, const ElementLogs& logs) {
  if (!facts.record.job.array || !facts.record.job.requeue || !facts.claim || facts.claim->by_stop) return std::nullopt;
  if (!facts.exit || view.state != RunState::failed || facts.stop_requested) return std::nullopt;
  if (static_cast<std::size_t>(std::count_if(facts.elements.begin(), facts.elements.end(), failed)) > most_failures) {
    return std::nullopt;
  }
  auto history = retry_history(facts, view);
  Retry retry{.failed = facts.claim->job,
              .length = facts.standing.length,
              .exclude = {},
              .why = "",
              .elements = {},
              .end = end_so_far(facts, view)};
  std::string why;
  for (const auto& element : facts.elements) {
    const auto& start = element.start;
    if (!failed(element) || !start) continue;
    RunEvidence evidence;
    evidence.facts = facts;
    evidence.facts.exit = element.exit;
    evidence.view = view;
    evidence.logs = logs(element.index, start->node);
    history.ran = std::max(element.exit->time - start->time, std::chrono::seconds(0));
    auto decision = retry_decision(diagnose(evidence), history);
    if (!decision.retry) continue;
    history.excluded = std::move(decision.exclude);
    retry.elements.push_back(element.index);
    why = decision.why;
  }
  if (retry.elements.empty()) return std::nullopt;
  retry.exclude = history.excluded;
  retry.why = elements_in_words(retry.elements) + ": " + why;
  return retry;
}

}  // namespace rv::monitor
