#include "workers/training/load_history.h"

#include <cmath>

namespace rv::workers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_samples = 400;

Json value_of(const GpuReadings& readings, const char* name, double unit) {
  const auto value = readings[name];
  return value ? Json(static_cast<double>(*value) / unit) : Json();
}

double in_milliseconds(double seconds) {
  return std::round(seconds * 1e3) / 1e3;
}

}  // namespace

void LoadHistory::add(double seconds, const GpuReadings& readings) {
  if (readings.numbers.empty()) return;
  Sample sample{seconds, readings, std::nullopt};
  const auto since = samples_.empty() ? 0 : seconds - last_;
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
    sample.throttled = throttled_;
  }
  samples_.push_back(std::move(sample));
  if (samples_.size() < most_samples) return;
  for (std::size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = std::move(samples_[2 * i]);
  samples_.resize((samples_.size() + 1) / 2);
  between_ *= 2;
}

Json LoadHistory::json() const {
  if (samples_.empty()) return {};
  Json curve{{"seconds", Json::array()},
             {"power_w", Json::array()},
             {"clock_sm_mhz", Json::array()},
             {"temperature_c", Json::array()},
             {"throttled_s", Json::array()}};
  for (const auto& sample : samples_) {
    curve["seconds"].push_back(in_milliseconds(sample.seconds));
    curve["power_w"].push_back(value_of(sample.readings, "power_mw", 1000));
    curve["clock_sm_mhz"].push_back(value_of(sample.readings, "clock_sm_mhz", 1));
    curve["temperature_c"].push_back(value_of(sample.readings, "temperature_c", 1));
    curve["throttled_s"].push_back(sample.throttled ? Json(in_milliseconds(*sample.throttled)) : Json());
  }
  curve["throttled_seconds"] = nullptr;
  if (!known_) return curve;
  curve["throttled_seconds"] = Json::object();
  for (const auto& [reason, seconds] : by_reason_) curve["throttled_seconds"][reason] = in_milliseconds(seconds);
  return curve;
}

}  // namespace rv::workers
