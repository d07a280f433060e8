#include "monitor/jobs/prediction_accuracy.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using std::chrono::seconds;

namespace {

Prediction spread(int p10, int p50, int p90) {
  return {.p10 = seconds(p10), .p50 = seconds(p50), .p90 = seconds(p90)};
}

}  // namespace

TEST_CASE("errors are counted to both sides, and the shares include their bound") {
  const std::vector<seconds> real{seconds(100), seconds(100), seconds(100), seconds(100), seconds(10'000)};
  const std::vector<Prediction> said{spread(0, 40, 200), spread(0, 161, 200), spread(0, 100, 200), spread(0, 700, 800),
                                     spread(0, 0, 0)};
  const auto a = accuracy(real, said);
  CHECK(a.jobs == 5);
  CHECK(a.predicted == 5);
  CHECK(a.median_error_s == 61);
  CHECK(a.p90_error_s == 10'000);
  CHECK(a.within_1_min == doctest::Approx(0.4));
  CHECK(a.within_10_min == doctest::Approx(0.8));
  CHECK(*a.coverage == doctest::Approx(0.8));
}

TEST_CASE("unknown is not an error of nought") {
  const std::vector<seconds> real{seconds(0), seconds(50)};
  const auto a = accuracy(real, {Prediction{}, Prediction{.p10 = {}, .p50 = seconds(20), .p90 = {}}});
  CHECK(a.jobs == 2);
  CHECK(a.predicted == 1);
  CHECK(a.median_error_s == 30);
  CHECK(!a.coverage);
  CHECK(accuracy({}, {}).predicted == 0);
}

TEST_CASE("a start outside the spread, and one that is outside by less than a minute") {
  const std::vector<seconds> real{seconds(50), seconds(250), seconds(261), seconds(0)};
  const std::vector<Prediction> said{spread(100, 150, 200), spread(100, 150, 200), spread(100, 150, 200),
                                     spread(0, 0, 0)};
  const auto a = accuracy(real, said);
  CHECK(*a.coverage == doctest::Approx(0.25));
  CHECK(*a.coverage_1_min == doctest::Approx(0.75));
}

TEST_CASE("an error of ten minutes or a quarter of the wait is close, and the ratio counts both ways") {
  const std::vector<seconds> real{seconds(1000), seconds(100'000), seconds(100'000), seconds(4000)};
  const auto a = accuracy(
      real, {spread(0, 400, 2000), spread(0, 75'000, 200'000), spread(0, 74'000, 200'000), spread(0, 16'000, 20'000)});
  CHECK(a.within_quarter == doctest::Approx(0.5));
  CHECK(a.median_log2_ratio == doctest::Approx(1.3219).epsilon(0.001));
  // A wait below a minute counts as a minute.
  CHECK(accuracy({seconds(0)}, {spread(0, 60, 60)}).median_log2_ratio == 0);
}

TEST_CASE("the pinball loss weighs quantiles as they are missed") {
  const auto a = accuracy({seconds(100)}, {spread(50, 100, 150)});
  CHECK(*a.pinball_s == doctest::Approx((0.1 * 50 + 0 + 0.1 * 50) / 3));
  const auto above = accuracy({seconds(100)}, {spread(0, 0, 0)});
  CHECK(*above.pinball_s == doctest::Approx(50));
  CHECK(!accuracy({seconds(100)}, {Prediction{.p10 = {}, .p50 = seconds(1), .p90 = {}}}).pinball_s);
}
