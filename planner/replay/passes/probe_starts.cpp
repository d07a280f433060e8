#include "planner/replay/passes/probe_starts.h"

#include <algorithm>

namespace rv::planner {

void ProbeStarts::begin(const Component& component) {
  component_ = &component;
  outcomes_.assign(component.probes.size(), {});
  next_.assign(component.probes.size(), 0);
  for (std::size_t i = 0; i < component.probes.size(); ++i) outcomes_[i].starts.assign(probe(i).limits.size(), never);
  waiting_ = component.probes.size();
}

void ProbeStarts::start(std::size_t place, ReplayTime window, ReplayTime at) {
  const std::vector<ReplayTime>& limits = probe(place).limits;
  std::size_t& next = next_[place];
  const bool waited = waits(place);
  while (next < limits.size() && limits[next] <= window) outcomes_[place].starts[next++] = at;
  if (waited && !waits(place)) --waiting_;
}

void ProbeStarts::see_window(std::size_t place, ReplayTime window) {
  outcomes_[place].window = std::max(outcomes_[place].window, window);
}

}  // namespace rv::planner
