// A predicted wait.
#pragma once

#include <chrono>
#include <optional>

namespace rv::planner {

/// 10, 50 and 90 % percentiles. A value that is not set is unknown.
struct PastWait {
  std::optional<std::chrono::seconds> p10, p50, p90;
};

}  // namespace rv::planner
