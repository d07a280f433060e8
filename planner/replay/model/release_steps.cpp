#include "planner/replay/model/release_steps.h"

#include <algorithm>
#include <array>
#include <bit>

namespace rv::planner {

namespace {

constexpr ReplayTime first_window = ReleaseSteps::first_window;

/// Enough for any end before `never`.
constexpr std::size_t most_windows = 26;

/// Ends of relevant jobs within one window.
struct Window {
  ReplayTime first = never;
  ReplayTime last = -never;
};

/// Window 0 goes up to first_window after the barrier, each further one up to twice as far.
std::size_t window_of(ReplayTime end, ReplayTime barrier) {
  if (end <= barrier + first_window) return 0;
  const auto behind = static_cast<std::uint32_t>(end - barrier - 1);
  return static_cast<std::size_t>(std::bit_width(behind / first_window));
}

}  // namespace

void ReleaseSteps::assign(const std::vector<ReplayTime>& ends, const std::vector<ReplayTime>& elsewhere,
                          std::int64_t phase) {
  tries_.clear();
  if (ends.empty()) return;
  const ReplayTime first = *std::min_element(ends.begin(), ends.end());
  const auto past =
      static_cast<ReplayTime>((first % first_window + phase % first_window + first_window) % first_window);
  const ReplayTime barrier = first + first_window - past;
  std::array<Window, most_windows> windows;
  for (const ReplayTime end : ends) {
    if (end >= never) continue;
    Window& in = windows[window_of(end, barrier)];
    in.first = std::min(in.first, end);
    in.last = std::max(in.last, end);
  }
  ReplayTime taken = first - 1;
  for (std::size_t i = 0; i < most_windows; ++i) {
    const ReplayTime before = taken;
    taken = std::max(taken, windows[i].last);
    const auto behind = std::upper_bound(elsewhere.begin(), elsewhere.end(), taken);
    if (behind != elsewhere.end() && window_of(*behind, barrier) <= i) {
      const auto next = std::find_if(windows.begin() + static_cast<std::ptrdiff_t>(i) + 1, windows.end(),
                                     [](const Window& one) { return one.last > -never; });
      if (next != windows.end()) taken = std::max(taken, next->first);
    }
    if (taken > before) tries_.push_back(taken);
  }
}

ReplayTime ReleaseSteps::try_after(ReplayTime end) const {
  const auto found = std::lower_bound(tries_.begin(), tries_.end(), end);
  return found == tries_.end() ? end : *found;
}

}  // namespace rv::planner
