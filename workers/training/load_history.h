#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// Samples of a GPU during a training, and how long it had been throttled at each of them.
class LoadHistory {
 public:
  /// Adds a sample, which counts for the time since the one before. `seconds` is the time since the first sample. A
  /// sample without readings is ignored.
  void add(double seconds, const GpuReadings& readings);

  /// {"seconds", "power_w", "clock_sm_mhz", "temperature_c", "throttled_s"}: lists of equal length, where throttled_s
  /// is cumulative and null means unknown. Also "throttled_seconds" by harmful reason (empty: not throttled, null:
  /// unknown). Null without any sample. In a long training every second sample is dropped repeatedly.
  nlohmann::ordered_json json() const;

  /// The current interval between samples: it doubles whenever samples are dropped.
  double seconds_between() const { return between_; }

 private:
  struct Sample {
    double seconds = 0;
    GpuReadings readings;
    std::optional<double> throttled;
  };
  std::vector<Sample> samples_;
  double between_ = 0.5, last_ = 0, throttled_ = 0;
  bool known_ = false;  ///< whether throttling could be read in some sample
  std::map<std::string, double> by_reason_;
};

}  // namespace rv::workers
