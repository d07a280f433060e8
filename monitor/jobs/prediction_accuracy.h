// How far predictions were from what came.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

using std::chrono::seconds;

/// A prediction of one job's wait; nothing: none was made.
struct Prediction {
  std::optional<seconds> p10;
  std::optional<seconds> p50;
  std::optional<seconds> p90;
};

struct Accuracy {
  std::size_t jobs = 0;       // with a real start
  std::size_t predicted = 0;  // of them, with a prediction; the figures below are about these
  double median_error_s = 0;
  double p90_error_s = 0;
  double within_1_min = 0;               // share of 1
  double within_10_min = 0;              // share of 1
  std::optional<double> coverage;        // real wait within P10–P90; nothing: no spread was stated
  std::optional<double> coverage_1_min;  // the same when a start up to a minute outside counts, the time between two
                                         // passes of the scheduler
};

/// `real` and `predicted` belong together by position.
Accuracy accuracy(const std::vector<seconds>& real, const std::vector<Prediction>& predicted);

}  // namespace rv::monitor
