// Readings of a run's GPUs as curves: readings of the job itself and of clients that polled it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/views/gpu_readings.h"

namespace rv::cli {

using GpuFigure = std::optional<double> GpuReading::*;
using GpuKey = std::pair<std::string, int>;  // node and index

/// Readings of the GPU that has the most.
std::size_t most_samples(const std::vector<KeptReadings>& looks);

/// One figure of all GPUs at even times: the mean of what was seen in each span, nothing where there was no reading.
struct GpuCurves {
  std::vector<GpuKey> gpus;
  double seconds = 0;                                    // from `began` to the last reading
  std::vector<std::vector<std::optional<double>>> rows;  // one a GPU, equally long

  /// The middle of a span, seconds after `began`.
  double time_of(std::size_t column) const;
};

/// The number of spans for which every GPU has readings, at most 100: later readings are 1 % of the time apart.
GpuCurves gpu_curves(const std::vector<KeptReadings>& looks, planner::TimePoint began, GpuFigure figure);

}  // namespace rv::cli
