#include "reports/sweep/curve.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "shared/median.h"

namespace rv::sweep {
namespace {

/// Of d log(throughput) / d log(x): 2^0.7 = 1.62.
constexpr double still_linear = 0.7;
/// 2^0.1375 = 1.1.
constexpr double still_rising = 0.1375;

CurvePoint point_of(long long x, std::vector<const PointResult*> runs, const std::string& throughput) {
  CurvePoint point;
  point.x = x;
  std::vector<double> figures;
  for (const auto* run : runs) {
    const auto metric = run->metrics.find(throughput);
    if (run->end.kind == EndKind::done && metric != run->metrics.end()) figures.push_back(metric->second.typical());
    if (const auto vram = run->samples["peak_vram_mib"]) point.vram_mib = std::max(point.vram_mib.value_or(0), *vram);
    if (is_out_of_memory(run->end.kind) && point.out_of_memory == nullptr) point.out_of_memory = run;
  }
  point.ran = std::all_of(runs.begin(), runs.end(), [](const auto* run) { return run->end.kind == EndKind::done; });
  if (!figures.empty()) point.throughput = median(std::move(figures));
  point.runs = std::move(runs);
  return point;
}

void set_regions(Curve& curve) {
  const auto* const peak = peak_of(curve);
  if (peak == nullptr || !(*peak->throughput > 0)) return;
  std::vector<CurvePoint*> known;
  for (auto& point : curve.points) {
    if (point.throughput && *point.throughput > 0) known.push_back(&point);
  }
  const auto region = [&](const CurvePoint& from, const CurvePoint& to) {
    const double slope =
        std::log(*to.throughput / *from.throughput) / std::log(static_cast<double>(to.x) / static_cast<double>(from.x));
    return slope >= still_linear ? Region::linear : slope >= still_rising ? Region::rising : Region::plateau;
  };
  for (std::size_t i = 0; i < known.size(); ++i) {
    auto& point = *known[i];
    if (point.x > peak->x && *point.throughput < near_peak * *peak->throughput) {
      point.region = Region::decline;
    } else if (i > 0) {
      point.region = region(*known[i - 1], point);
    } else if (known.size() > 1) {
      point.region = region(point, *known[1]);  // the first has nothing before it
    }
  }
}

}  // namespace

std::string_view to_string(Region region) {
  switch (region) {
    case Region::linear:
      return "linear";
    case Region::rising:
      return "rising";
    case Region::plateau:
      return "plateau";
    case Region::decline:
      break;
  }
  return "decline";
}

std::vector<Curve> curves_of(const Order& order, const std::vector<PointResult>& results) {
  const auto& axis = order.axes.front().name;
  std::map<Settings, std::map<long long, std::vector<const PointResult*>>> groups;
  for (const auto& result : results) {
    auto others = result.point.settings;
    const auto x = whole_number(others.at(axis));
    others.erase(axis);
    if (x) groups[others][*x].push_back(&result);
  }
  std::vector<Curve> curves;
  for (auto& [others, by_x] : groups) {
    Curve curve{others, "", {}};
    for (const auto& [name, value] : others)
      curve.label.append(curve.label.empty() ? "" : ", ").append(name).append(" ").append(value);
    for (auto& [x, runs] : by_x) curve.points.push_back(point_of(x, std::move(runs), order.throughput));
    set_regions(curve);
    curves.push_back(std::move(curve));
  }
  return curves;
}

const CurvePoint* peak_of(const Curve& curve) {
  const CurvePoint* best = nullptr;
  for (const auto& point : curve.points) {
    if (point.throughput && (best == nullptr || *point.throughput > *best->throughput)) best = &point;
  }
  return best;
}

const CurvePoint* sweet_spot_of(const Curve& curve) {
  const auto* const peak = peak_of(curve);
  if (peak == nullptr) return nullptr;
  const auto found = std::find_if(curve.points.begin(), curve.points.end(), [&](const auto& point) {
    return point.ran && point.throughput && *point.throughput >= near_peak * *peak->throughput;
  });
  return found == curve.points.end() ? nullptr : &*found;
}

const CurvePoint* largest_that_ran(const Curve& curve) {
  const auto found =
      std::find_if(curve.points.rbegin(), curve.points.rend(), [](const auto& point) { return point.ran; });
  return found == curve.points.rend() ? nullptr : &*found;
}

const CurvePoint* smallest_out_of_memory(const Curve& curve) {
  const auto* const ran = largest_that_ran(curve);
  const auto found = std::find_if(curve.points.begin(), curve.points.end(), [&](const auto& point) {
    return point.out_of_memory != nullptr && (ran == nullptr || point.x > ran->x);
  });
  return found == curve.points.end() ? nullptr : &*found;
}

}  // namespace rv::sweep
