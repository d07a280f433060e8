#include "workers/training/load_looks.h"

#include <cmath>

namespace rv::workers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_looks = 400;

Json value_of(const GpuReadings& readings, const char* name, double unit) {
  const auto value = readings[name];
  return value ? Json(static_cast<double>(*value) / unit) : Json();
}

double in_milliseconds(double seconds) {
  return std::round(seconds * 1e3) / 1e3;
}

}  // namespace

void LoadLooks::add(double seconds, const GpuReadings& readings) {
  if (readings.numbers.empty()) return;
  Look look{seconds, readings, std::nullopt};
  const auto since = looks_.empty() ? 0 : seconds - last_;
  last_ = seconds;
  if (const auto bits = readings["throttle_bits"]) {
    known_ = true;
    bool harmful = false;
    for (const auto& reason : throttle_reasons()) {
      if (reason.benign || (*bits & reason.bit) == 0) continue;
      harmful = true;
      by_reason_[reason.name] += since;
    }
    if (harmful) throttled_ += since;
    look.throttled = throttled_;
  }
  looks_.push_back(std::move(look));
  if (looks_.size() < most_looks) return;
  for (std::size_t i = 0; 2 * i < looks_.size(); ++i) looks_[i] = std::move(looks_[2 * i]);
  looks_.resize((looks_.size() + 1) / 2);
  between_ *= 2;
}

Json LoadLooks::json() const {
  if (looks_.empty()) return {};
  Json curve{{"seconds", Json::array()},
             {"power_w", Json::array()},
             {"clock_sm_mhz", Json::array()},
             {"temperature_c", Json::array()},
             {"throttled_s", Json::array()}};
  for (const auto& look : looks_) {
    curve["seconds"].push_back(in_milliseconds(look.seconds));
    curve["power_w"].push_back(value_of(look.readings, "power_mw", 1000));
    curve["clock_sm_mhz"].push_back(value_of(look.readings, "clock_sm_mhz", 1));
    curve["temperature_c"].push_back(value_of(look.readings, "temperature_c", 1));
    curve["throttled_s"].push_back(look.throttled ? Json(in_milliseconds(*look.throttled)) : Json());
  }
  curve["throttled_seconds"] = nullptr;
  if (!known_) return curve;
  curve["throttled_seconds"] = Json::object();
  for (const auto& [reason, seconds] : by_reason_) curve["throttled_seconds"][reason] = in_milliseconds(seconds);
  return curve;
}

}  // namespace rv::workers
