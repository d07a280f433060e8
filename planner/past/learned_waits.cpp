#include "planner/past/learned_waits.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rv::planner {

namespace {

using std::chrono::seconds;
using Weighted = std::pair<double, double>;  // log wait, weight

// Chosen on the first half of a public log (docs/figures.md); from half to twice of each changes its figures by a
// tenth.
constexpr double near_nothing_s = 300;
constexpr double steepness = 0.3;
constexpr double memory_s = 10 * 86'400.0;
constexpr double same_user = 3;
constexpr double still_waiting = 1.5;
constexpr double least_waiting_s = 3600;
constexpr double replay_weight = 0.3;
/// The replay's horizon.
constexpr seconds longest{7 * 86'400};
constexpr std::size_t most_cases = 2000;

double span(TimePoint from, TimePoint to) {
  return static_cast<double>((to - from).count());
}

/// The wait as known at `now`; below 0: nothing is known.
double known_wait(const PastCase& one, TimePoint now) {
  if (one.start <= now) return span(one.submitted, one.start);
  const double waited = still_waiting * span(one.submitted, now);
  return waited < least_waiting_s ? -1 : waited;
}

double weight_of(const PastCase& one, const PastCase& now) {
  double distance = span(one.submitted, now.submitted) / memory_s;
  for (std::size_t i = 0; i < PastCase::feature_count; ++i) {
    distance += steepness * std::abs(one.features[i] - now.features[i]);
  }
  const bool same = one.user != 0 && one.user == now.user;
  return std::exp(-distance) * (same ? same_user : 1);
}

/// `sorted` is not empty.
seconds quantile(const std::vector<Weighted>& sorted, double total, double share) {
  double sum = 0;
  for (const auto& [value, weight] : sorted) {
    sum += weight;
    if (sum < share * total) continue;
    return seconds(std::max<std::int64_t>(0, std::llround(std::exp(value) - near_nothing_s)));
  }
  return seconds(std::llround(std::exp(sorted.back().first)));
}

}  // namespace

double time_feature(double seconds) {
  return std::log(std::max(seconds, 0.0) + near_nothing_s);
}

PastWait LearnedWaits::predict(const PastCase& now) const {
  std::vector<Weighted> waits;
  waits.reserve(cases_.size() + 3);
  for (const PastCase& one : cases_) {
    const double wait = known_wait(one, now.submitted);
    if (wait >= 0) waits.emplace_back(time_feature(wait), weight_of(one, now));
  }
  for (const auto& value : {now.replay.p10, now.replay.p50, now.replay.p90}) {
    waits.emplace_back(time_feature(static_cast<double>(value.value_or(longest).count())), replay_weight);
  }
  std::sort(waits.begin(), waits.end());
  double total = 0;
  for (const auto& [value, weight] : waits) total += weight;
  return {.p10 = quantile(waits, total, 0.1), .p50 = quantile(waits, total, 0.5), .p90 = quantile(waits, total, 0.9)};
}

void LearnedWaits::add(const PastCase& earlier) {
  if (cases_.size() == most_cases) cases_.erase(cases_.begin());
  cases_.push_back(earlier);
}

}  // namespace rv::planner
