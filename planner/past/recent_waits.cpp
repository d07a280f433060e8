#include "planner/past/recent_waits.h"

#include <array>
#include <bit>

#include "base/seeded_random.h"
#include "planner/forecast.h"
#include "shared/fnv1a.h"

namespace rv::planner {

namespace {

constexpr std::size_t most_kept = 100;
constexpr std::size_t enough = 3;

/// From the narrowest group of a job to the widest.
std::array<std::uint64_t, 3> groups_of(const FinishedJob& job) {
  const std::uint64_t partition = mixed(fnv1a(job.partition));
  const auto size = static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(std::max(job.gpus, job.nodes))));
  return {mixed(partition, size), partition, 0};
}

}  // namespace

void RecentWaits::add(const FinishedJob& job) {
  const auto wait = static_cast<std::int32_t>(std::min<std::int64_t>((job.start - job.submitted).count(), never - 1));
  for (const std::uint64_t group : groups_of(job)) {
    Waits& waits = waits_[group];
    waits.push_back(wait);
    if (waits.size() > most_kept) waits.erase(waits.begin());
  }
}

Wait RecentWaits::last(const FinishedJob& job, std::size_t count) const {
  const auto groups = groups_of(job);
  for (const std::uint64_t group : groups) {
    const auto found = waits_.find(group);
    if (found == waits_.end()) continue;
    const Waits& waits = found->second;
    if (waits.size() < enough && group != groups.back()) continue;
    const auto first = waits.end() - static_cast<std::ptrdiff_t>(std::min(count, waits.size()));
    return summary_of({first, waits.end()}, "");
  }
  return {};
}

}  // namespace rv::planner
