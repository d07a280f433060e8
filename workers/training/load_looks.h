#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// What was seen of a GPU while it trained, and how long it was throttled up to each look.
class LoadLooks {
 public:
  /// A look stands for the time since the one before. `seconds` since the first; one that tells nothing is left out.
  void add(double seconds, const GpuReadings& readings);

  /// {"seconds", "power_w", "clock_sm_mhz", "temperature_c", "throttled_s"}, lists of one length, the last one adding
  /// up; null is not known. And "throttled_seconds", by harmful reason (empty: not throttled, null: not known). Null as
  /// a whole without a look. Of a long time every second look is left out, again and again.
  nlohmann::ordered_json json() const;

  /// How far apart looks should be: twice as far each time that there were too many.
  double seconds_between() const { return between_; }

 private:
  struct Look {
    double seconds = 0;
    GpuReadings readings;
    std::optional<double> throttled;
  };
  std::vector<Look> looks_;
  double between_ = 0.5, last_ = 0, throttled_ = 0;
  bool known_ = false;  ///< whether some look told of throttling
  std::map<std::string, double> by_reason_;
};

}  // namespace rv::workers
