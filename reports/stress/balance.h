// How evenly work was shared.
#pragma once

#include <optional>
#include <vector>

#include "reports/stress/evidence.h"

namespace rv::stress {

struct Balance {
  int of = 0;                           // how many share
  std::optional<double> most_to_least;  // nothing: one did nothing, or there is only one
  double variation = 0;                 // coefficient of variation: standard deviation by mean
};

/// Of shares that should be equal.
Balance balance_of(const std::vector<double>& shares);

/// Of the node's workers; of its GPUs, those alone that are of the same model and have as many workers as the first.
Balance balance_of_workers(const NodeEvidence& node);
Balance balance_of_gpus(const NodeEvidence& node);

}  // namespace rv::stress
