#include "cli/report/gpu_curves.h"

#include <doctest/doctest.h>

namespace rv::cli {
namespace {

planner::TimePoint at(long seconds) {
  return planner::TimePoint{std::chrono::seconds(1'790'000'000 + seconds)};
}

KeptReadings look(long seconds, const char* node, std::optional<double> busy) {
  GpuReading gpu;
  gpu.node = node;
  gpu.utilisation = busy;
  return {.time = at(seconds), .readings = {.gpus = {gpu}, .troubles = {}}};
}

}  // namespace

TEST_CASE("nodes polled at different seconds share one time axis, with gaps between polls") {
  std::vector<KeptReadings> looks;
  for (long i = 0; i < 10; ++i) {
    looks.push_back(look(i * 10, "n1", 80));
    if (i < 5) looks.push_back(look(i * 10 + 3, "n2", i % 2 == 0 ? 10 : 30));
  }
  const auto curves = gpu_curves(looks, at(0), &GpuReading::utilisation);
  REQUIRE(curves.gpus == std::vector<GpuKey>{{"n1", 0}, {"n2", 0}});
  CHECK(curves.seconds == 90);
  REQUIRE(curves.rows[0].size() == 8);  // a few less than there are looks
  for (const auto& value : curves.rows[0]) CHECK(value == 80);
  CHECK(curves.rows[1][0] == 10);
  CHECK(curves.rows[1][2] == doctest::Approx(20));  // two looks: their mean
  CHECK_FALSE(curves.rows[1][6].has_value());
  CHECK(curves.time_of(0) == doctest::Approx(90.0 / 16));
}

TEST_CASE("many readings are reduced to 100 columns; one reading and none are valid") {
  std::vector<KeptReadings> looks;
  for (long i = 0; i < 1000; ++i) looks.push_back(look(i * 5, "n1", i < 500 ? 0 : 100));
  const auto curves = gpu_curves(looks, at(0), &GpuReading::utilisation);
  REQUIRE(curves.rows[0].size() == 100);
  CHECK(curves.rows[0][49] == 0);
  CHECK(curves.rows[0][51] == 100);
  CHECK(gpu_curves({look(0, "n1", std::nullopt)}, at(5), &GpuReading::utilisation).rows[0][0] == std::nullopt);
  CHECK(gpu_curves({}, at(0), &GpuReading::utilisation).rows.empty());
}

}  // namespace rv::cli
