// One line a point, and what stands in a point's summary.txt.
#pragma once

#include <string>
#include <vector>

#include "reports/sweep/curve.h"

namespace rv::sweep {

/// The seed's columns first, whose first is called as the first axis, then ours (docs/sweep.md). A field is empty where
/// nothing was measured.
std::string combined_csv(const Order& order, const std::vector<PointResult>& results, const std::vector<Curve>& curves);

/// "name=value", a line each: settings, end, metrics, peaks.
std::string summary_text(const PointResult& result);

}  // namespace rv::sweep
