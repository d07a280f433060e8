#include "cli/report/gpu_curves.h"

#include <algorithm>
#include <map>

namespace rv::cli {
namespace {

constexpr std::size_t most_columns = 100;

double seconds_after(planner::TimePoint began, planner::TimePoint time) {
  return std::max(0.0, static_cast<double>((time - began).count()));
}

/// By node and index.
std::vector<GpuKey> gpu_places(const std::vector<KeptReadings>& looks) {
  std::vector<GpuKey> places;
  for (const auto& look : looks) {
    for (const auto& gpu : look.readings.gpus) places.emplace_back(gpu.node, gpu.index);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

std::size_t most_samples(const std::vector<KeptReadings>& looks) {
  std::map<GpuKey, std::size_t> counts;
  std::size_t most = 0;
  for (const auto& look : looks) {
    for (const auto& gpu : look.readings.gpus) most = std::max(most, ++counts[{gpu.node, gpu.index}]);
  }
  return most;
}

double GpuCurves::time_of(std::size_t column) const {
  return seconds * (static_cast<double>(column) + 0.5) / static_cast<double>(rows.empty() ? 1 : rows.front().size());
}

GpuCurves gpu_curves(const std::vector<KeptReadings>& looks, planner::TimePoint began, GpuFigure figure) {
  GpuCurves curves{.gpus = gpu_places(looks), .rows = {}};
  if (looks.empty()) return curves;
  // Readings are not evenly spaced: with slightly fewer spans than readings, no span is empty.
  const auto count = most_samples(looks);
  const auto columns = std::clamp<std::size_t>(count - count / 5, 1, most_columns);
  curves.seconds = seconds_after(began, looks.back().time);
  curves.rows.assign(curves.gpus.size(), std::vector<std::optional<double>>(columns));
  std::vector<std::vector<int>> seen(curves.gpus.size(), std::vector<int>(columns, 0));
  for (const auto& look : looks) {
    const double share = curves.seconds > 0 ? seconds_after(began, look.time) / curves.seconds : 0;
    const auto column = std::min(static_cast<std::size_t>(share * static_cast<double>(columns)), columns - 1);
    for (const auto& gpu : look.readings.gpus) {
      if (!(gpu.*figure)) continue;
      const auto place = std::lower_bound(curves.gpus.begin(), curves.gpus.end(), GpuKey{gpu.node, gpu.index});
      const auto row = static_cast<std::size_t>(place - curves.gpus.begin());
      auto& mean = curves.rows[row][column];
      mean = mean.value_or(0) + (*(gpu.*figure) - mean.value_or(0)) / ++seen[row][column];
    }
  }
  return curves;
}

}  // namespace rv::cli
