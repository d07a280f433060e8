// What a strategy costs.
#pragma once

#include <optional>

#include "planner/strategy.h"

namespace rv::planner {

/// GPUs × hours of work × the model's rate × su_factor; segments change nothing, they share the work. Empty where the
/// model has no rate: unknown is not free. A rate of 0 is a known price.
std::optional<double> cost_su(const Strategy& strategy, double su_factor);

}  // namespace rv::planner
