// Compares predicted waits with real waits.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

using std::chrono::seconds;

/// The predicted wait of one job. A member without a value was not predicted.
struct Prediction {
  std::optional<seconds> p10;
  std::optional<seconds> p50;
  std::optional<seconds> p90;
};

struct Accuracy {
  std::size_t jobs = 0;       // jobs that have started
  std::size_t predicted = 0;  // those of them that have a prediction; the figures below are about these
  double median_error_s = 0;
  double p90_error_s = 0;
  double within_1_min = 0;               // share of the predictions, 0 to 1
  double within_10_min = 0;              // share of the predictions, 0 to 1
  std::optional<double> coverage;        // share of real waits within P10–P90; nothing: no prediction had a range
  std::optional<double> coverage_1_min;  // the same with a minute more at both ends: the time between two
                                         // passes of the scheduler
  double within_quarter = 0;             // share with an error of at most 10 minutes or 25 % of the real wait
  double median_log2_ratio = 0;          // |log2(predicted ÷ real)|; a wait below a minute counts as a minute
  std::optional<double> pinball_s;       // mean pinball loss of P10, P50 and P90, of predictions with all three
};

/// Element i of `predicted` is the prediction for element i of `real`.
Accuracy accuracy(const std::vector<seconds>& real, const std::vector<Prediction>& predicted);

}  // namespace rv::monitor
