#include "workers/devices/stopping.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::workers;

TEST_CASE("the median is the middle value, or the mean of the two middle ones") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("one outlier moves neither the median nor the spread") {
  const std::vector<double> values{10, 11, 9, 10, 1000};
  CHECK(median(values) == 10);
  CHECK(median_absolute_deviation(values) == 1);
}

TEST_CASE("steady samples end the measurement once there are enough of them and enough time") {
  StoppingRule rule({.least_seconds = 1, .most_seconds = 100, .least_samples = 5, .relative_error = 0.01});
  CHECK_FALSE(rule.finished());
  for (int i = 0; i < 4; ++i) {
    rule.add(7, 0.1);
    CHECK_FALSE(rule.finished());
  }
  rule.add(7, 0.1);
  CHECK_FALSE(rule.finished());  // five samples, half a second
  for (int i = 0; i < 6; ++i) rule.add(7, 0.1);
  CHECK(rule.finished());
}

TEST_CASE("samples that never settle end at the deadline") {
  StoppingRule rule({.least_seconds = 0, .most_seconds = 10, .least_samples = 3, .relative_error = 1e-6});
  int samples = 0;
  while (!rule.finished() && samples < 1000) rule.add(samples++ % 3, 0.5);
  CHECK(samples == 20);
}

TEST_CASE("one sample longer than the deadline is enough") {
  StoppingRule rule({.least_seconds = 0.2, .most_seconds = 1, .least_samples = 10, .relative_error = 0.01});
  rule.add(3, 5);
  CHECK(rule.finished());
}
