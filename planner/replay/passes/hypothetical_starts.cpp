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

void HypotheticalStarts::start(std::size_t place, ReplayTime window, ReplayTime at) {
  const std::vector<ReplayTime>& limits = hypothetical(place).limits;
  std::size_t& next = next_[place];
  const bool waited = waits(place);
  while (next < limits.size() && limits[next] <= window) outcomes_[place].starts[next++] = at;
  if (waited && !waits(place)) --waiting_;
}

void HypotheticalStarts::see_window(std::size_t place, ReplayTime window) {
  outcomes_[place].window = std::max(outcomes_[place].window, window);
}

}  // namespace rv::planner
