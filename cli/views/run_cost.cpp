#include "cli/views/run_cost.h"

#include <algorithm>

namespace rv::cli {
namespace {

using Hours = std::chrono::duration<double, std::ratio<3600>>;

/// Before anybody has won: the dearest candidate; nothing as soon as one has no price.
std::optional<double> dearest(const monitor::RunView& view) {
  std::optional<double> most;
  for (const auto& candidate : view.candidates) {
    if (!candidate.candidate.cost_su) return std::nullopt;
    most = std::max(most.value_or(0), *candidate.candidate.cost_su);
  }
  return most;
}

}  // namespace

RunCost cost_of(const monitor::RunView& view, monitor::TimePoint now) {
  const bool over = monitor::is_final(view.state);
  if (!view.winner || !view.started) {
    return {.gpu_hours = 0, .spent = 0.0, .up_to = over ? std::optional<double>(0.0) : dearest(view)};
  }
  const auto& winner = view.candidates.at(static_cast<std::size_t>(*view.winner - 1)).candidate;
  const auto used =
      view.chain ? view.chain->used : std::max(std::chrono::seconds(0), view.ended.value_or(now) - *view.started);
  RunCost cost{.gpu_hours = Hours(used).count() * winner.gpus, .spent = std::nullopt, .up_to = std::nullopt};
  if (view.chain) {
    cost.spent = view.chain->used_su;
  } else if (winner.su_per_hour) {
    cost.spent = *winner.su_per_hour * Hours(used).count();
  }
  cost.up_to = over ? cost.spent : winner.cost_su;
  return cost;
}

}  // namespace rv::cli
