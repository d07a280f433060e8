#include "planner/checkpoint.h"

namespace rv::planner {

using std::chrono::seconds;

std::optional<int> segments_needed(seconds work, seconds length, seconds restart) {
  if (work <= length) return 1;
  const seconds useful = length - restart;
  if (useful <= seconds(0)) return std::nullopt;
  return 1 + static_cast<int>((work - length + useful - seconds(1)) / useful);
}

std::optional<Segments> best_segments(const Prospect& prospect, seconds work, seconds longest, seconds restart,
                                      const std::string& basis) {
  constexpr seconds shortest{30 * 60};
  std::optional<Segments> best;
  for (std::size_t i = 0; i < prospect.limits.size(); ++i) {
    const seconds length = prospect.limits[i];
    if (length < shortest || length > longest || length >= work) continue;
    const auto count = segments_needed(work, length, restart);
    if (!count) continue;
    const Wait wait = summary_of(prospect.starts_by_limit[i], basis);
    if (!wait.p50) continue;
    const seconds finish = *count * *wait.p50 + work + (*count - 1) * restart;
    // Of equal ends the longer segment: fewer jobs.
    if (best && finish > best->finish) continue;
    best = Segments{length, *count, wait, finish};
  }
  return best;
}

}  // namespace rv::planner
