// Two sweeps of the same axes on two machines, beside each other.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/answers.h"

namespace rv::sweep {

struct Sweep {
  Order order;
  std::vector<PointResult> results;
};

struct ComparedPoint {
  long long x = 0;
  const CurvePoint* first = nullptr;  // null: not tried there
  const CurvePoint* second = nullptr;
};

struct ComparedCurve {
  Curve first, second;
  std::vector<ComparedPoint> points;  // by x; they point into the two curves
  std::vector<Answer> answers;        // of the first machine, the second beside it
};

struct Comparison {
  std::string first, second;  // the machines
  std::vector<ComparedCurve> curves;
};

/// Curves that both have. Throws Error(usage) where the axes differ or no curve is common. The sweeps outlive it.
Comparison compare(const Sweep& first, const Sweep& second);

nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace rv::sweep
