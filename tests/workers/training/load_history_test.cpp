#include "workers/training/load_history.h"

#include <doctest/doctest.h>

using namespace rv::workers;
using Json = nlohmann::ordered_json;

namespace {

GpuReadings throttled_by(std::uint64_t bits) {
  GpuReadings readings;
  readings.numbers = {{"power_mw", 690000}, {"throttle_bits", bits}};
  return readings;
}

}  // namespace

TEST_CASE("a sample counts for the time since the previous one; the seconds add up, by reason too") {
  LoadHistory history;
  history.add(0, throttled_by(0x40));   // nothing is known of before
  history.add(0.5, throttled_by(0x4));  // the power limit is benign
  history.add(1, throttled_by(0x40));
  history.add(1.5, throttled_by(0x40 | 0x8));
  const auto json = history.json();
  CHECK(json["throttled_s"] == Json::array({0.0, 0.0, 0.5, 1.0}));
  CHECK(json["throttled_seconds"] == Json{{"hardware_slowdown", 0.5}, {"hardware_thermal", 1.0}});
  CHECK(json["power_w"] == Json::array({690.0, 690.0, 690.0, 690.0}));
}

TEST_CASE("throttling is unknown, not zero, if the driver does not report it") {
  GpuReadings readings;
  readings.numbers = {{"power_mw", 300000}};
  LoadHistory silent;
  silent.add(0, readings);
  CHECK(silent.json()["throttled_seconds"].is_null());
  CHECK(silent.json()["throttled_s"] == Json::array({nullptr}));
  CHECK(LoadHistory().json().is_null());
  LoadHistory well;
  well.add(0, throttled_by(0));
  well.add(0.5, throttled_by(0x1));
  CHECK(well.json()["throttled_seconds"] == Json::object());
}

TEST_CASE("a long training is sampled less often, and no throttled second is lost") {
  LoadHistory history;
  for (int i = 0; i <= 1000; ++i) history.add(i, throttled_by(0x20));
  const auto json = history.json();
  CHECK(json["seconds"].size() < 400);
  CHECK(history.seconds_between() > 0.5);
  CHECK(json["throttled_seconds"]["software_thermal"] == 1000.0);
}
