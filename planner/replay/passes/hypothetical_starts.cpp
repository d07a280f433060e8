#include "planner/replay/passes/hypothetical_starts.h"

#include <algorithm>

namespace rv::planner {

void HypotheticalStarts::begin(const Component& component) {
  component_ = &component;
  outcomes_.assign(component.hypotheticals.size(), {});
  next_.assign(component.hypotheticals.size(), 0);
  for (std::size_t i = 0; i < component.hypotheticals.size(); ++i)
    outcomes_[i].starts.assign(hypothetical(i).limits.size(), never);
  waiting_ = component.hypotheticals.size();
}

void HypotheticalStarts::start(std::size_t index, ReplayTime window, ReplayTime at) {
  const std::vector<ReplayTime>& limits = hypothetical(index).limits;
  std::size_t& next = next_[index];
  const bool waited = waits(index);
  while (next < limits.size() && limits[next] <= window) outcomes_[index].starts[next++] = at;
  if (waited && !waits(index)) --waiting_;
}

void HypotheticalStarts::see_window(std::size_t index, ReplayTime window) {
  outcomes_[index].window = std::max(outcomes_[index].window, window);
}

}  // namespace rv::planner
