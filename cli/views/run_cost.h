// What a run has cost and can still cost, from its records. Pure.
#pragma once

#include <optional>

#include "monitor/jobs/run_view.h"

namespace rv::cli {

struct RunCost {
  double gpu_hours = 0;         // so far
  std::optional<double> spent;  // SU so far; nothing: the price is not known
  std::optional<double> up_to;  // SU when it takes all the time it may; of a run that is over: what was spent
};

RunCost cost_of(const monitor::RunView& view, monitor::TimePoint now);

}  // namespace rv::cli
