// What a training that was timed tells beside its rate: where the time of a step goes, and what it took.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

struct TrainingDetail {
  std::string name;  // compute, input, communication, of the peak, scaling efficiency, memory, variation, slowest rank
  double value = 0;
  std::string unit;  // "%", "GB", "of the median, rank 3 on n2"
};

/// Those that its worker reported; empty for a figure that is not a training's. Memory is that of the rank that took
/// most, the variation that of the rates of repeated steps, the slowest rank that which takes longest without the
/// others.
std::vector<TrainingDetail> training_details(const JudgedFigure& judged);

/// The model's floating-point operations a second, as a share of what its GPU's maker promises for that precision.
/// Nothing: the figure is of no training, or one of the two is not known.
std::optional<double> share_of_peak(const JudgedFigure& judged);

}  // namespace rv::accept
