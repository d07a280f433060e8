// Points beside each other along the first axis: how throughput and memory grow.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sweep/order.h"
#include "reports/sweep/point_result.h"

namespace rv::sweep {

enum class Region {
  linear,   // twice as many give at least 1.62 times as much
  rising,   // less, but at least 1.1 times as much
  plateau,  // less than that, within 3 % of the peak or before it
  decline,  // behind the peak and more than 3 % below it
};
std::string_view to_string(Region region);

struct CurvePoint {
  long long x = 0;
  std::vector<const PointResult*> runs;        // its repeats, one at least
  std::optional<double> throughput;            // median of the repeats' typical figures; nothing: not reported
  std::optional<double> vram_mib;              // the highest of the repeats' peaks on one GPU
  bool ran = false;                            // every repeat came to its end
  const PointResult* out_of_memory = nullptr;  // the first repeat that was
  std::optional<Region> region;
};

/// The points that have the same values on all axes but the first.
struct Curve {
  Settings others;
  std::string label;               // "batch 32"; empty: there is one axis
  std::vector<CurvePoint> points;  // by x
};

/// Points whose value on the first axis is not a whole number are on no curve. The results outlive the curves.
std::vector<Curve> curves_of(const Order& order, const std::vector<PointResult>& results);

/// Nearly the highest: within 3 % of it.
inline constexpr double near_peak = 0.97;

/// The highest throughput; null where none is known.
const CurvePoint* peak_of(const Curve& curve);
/// The smallest whose throughput is within 3 % of the peak.
const CurvePoint* sweet_spot_of(const Curve& curve);
const CurvePoint* largest_that_ran(const Curve& curve);
/// Of those above the largest that ran.
const CurvePoint* smallest_out_of_memory(const Curve& curve);

}  // namespace rv::sweep
