#include "planner/replay/jobs/trial_arrivals.h"

#include "base/seeded_random.h"

namespace rv::planner {
namespace {

/// Makes the random numbers for this purpose differ from those drawn with the keys of jobs.
constexpr std::uint64_t for_periods = 0x64617973;
/// Number of consecutive empty periods after which no further job is expected.
constexpr int most_empty_periods = 64;

}  // namespace

void TrialArrivals::begin(const Component& component, std::uint64_t seed) {
  component_ = &component;
  seed_ = seed;
  period_begin_ = -model_.arrival_period;
  period_ = 0;
  next_in_period_ = component.arrivals.empty() ? 0 : component.arrivals[0].size();
}

ReplayTime TrialArrivals::next(const std::vector<int>& tasks_left) {
  const auto& periods = component_->arrivals;
  if (periods.empty()) return never;
  for (int tries = 0; tries < most_empty_periods; ++tries) {
    while (next_in_period_ < periods[period_].size()) {
      const Arrival& one = periods[period_][next_in_period_];
      if (tasks_left[component_->entries[one.entry].job] == 0) return period_begin_ + one.after;
      ++next_in_period_;
    }
    period_begin_ += model_.arrival_period;
    next_in_period_ = 0;
    const std::uint64_t pick = mixed(seed_, for_periods + static_cast<std::uint64_t>(period_begin_));
    const auto ahead = static_cast<std::size_t>(period_begin_ / model_.arrival_period);
    const std::vector<int>& choice = model_.periods_by_time[ahead % model_.periods_by_time.size()];
    period_ = static_cast<std::size_t>(choice[pick % choice.size()]);
  }
  return never;
}

}  // namespace rv::planner
