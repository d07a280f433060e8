#include "monitor/run/start_estimate.h"

namespace rv::monitor {

std::optional<StartEstimate> estimate_start(const RunView& view, TimePoint created, TimePoint now) {
  if (view.state != RunState::queued || view.winner) return std::nullopt;
  std::optional<StartEstimate> earliest;
  const auto consider = [&](TimePoint time, const char* basis) {
    if (time > now && (!earliest || time < earliest->time)) earliest = StartEstimate{time, basis};
  };
  for (const auto& candidate : view.candidates) {
    // A held job starts when somebody lets it, and what is planned for it means nothing.
    if (!candidate.status || candidate.status->phase != Phase::pending) continue;
    if (candidate.status->start) consider(*candidate.status->start, "Slurm's plan");
    if (candidate.candidate.wait.p50) consider(created + *candidate.candidate.wait.p50, "predicted at submission");
  }
  return earliest;
}

}  // namespace rv::monitor
