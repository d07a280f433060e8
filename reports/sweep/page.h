// The sweep as one page.
#pragma once

#include <string>
#include <vector>

#include "reports/pages/page.h"
#include "reports/sweep/comparison.h"

namespace rv::sweep {

/// What was sampled while a point ran.
struct PointSeries {
  const PointResult* result = nullptr;
  SampleFiles samples;
};

/// Answers, the table of points, throughput and VRAM by the first axis with a mark where memory ran out; of each point
/// utilisation, power, temperature and clocks over time and its CPU cores as a heat map. `search`: how --find-max
/// ended; `who`: the user.
std::string page(const Sweep& sweep, const std::vector<PointSeries>& series, const std::string& search,
                 const std::string& who);

/// Two machines beside each other.
std::string page(const Comparison& comparison, const Sweep& first, const Sweep& second, const std::string& who);

}  // namespace rv::sweep
