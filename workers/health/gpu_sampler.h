#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// One look at a GPU under load.
struct LoadSample {
  double seconds = 0;  ///< since the sample before
  GpuReadings readings;
};

/// What the samples say together: {"samples", "clock_sm_mhz": {least, median, most}, "power_w", "temperature_c",
/// "throttled_seconds": {reason: seconds}}. A figure that was never read is null, "not available".
nlohmann::ordered_json summarize_load(const std::vector<LoadSample>& samples);

/// Empty, or which reason that is not benign held for more than 2 % of the time, as a sentence.
std::string harmful_throttling(const std::vector<LoadSample>& samples);

/// Looks at one GPU ten times a second from a thread of its own, from its making to `stop`.
class GpuSampler {
 public:
  explicit GpuSampler(std::string pci_bus_id);
  ~GpuSampler();
  GpuSampler(const GpuSampler&) = delete;
  GpuSampler& operator=(const GpuSampler&) = delete;

  const std::vector<LoadSample>& stop();
  const std::string& unavailable() const { return unavailable_; }  ///< why nothing can be read; empty if it can

 private:
  std::unique_ptr<Nvml> nvml_;
  std::string unavailable_;
  std::atomic<bool> stopping_ = false;
  std::vector<LoadSample> samples_;
  std::thread thread_;
};

}  // namespace rv::workers
