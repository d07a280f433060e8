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

/// One sample of a GPU under load.
struct LoadSample {
  double seconds = 0;  ///< since the previous sample
  GpuReadings readings;
};

/// Summarises samples: {"samples", "clock_sm_mhz": {least, median, most}, "power_w", "temperature_c",
/// "throttled_seconds": {reason: seconds}}. A figure that could never be read is null, "not available".
nlohmann::ordered_json summarize_load(const std::vector<LoadSample>& samples);

/// Returns a sentence that names the throttle reason that is not benign and was active for more than 2 % of the time;
/// empty if there is none.
std::string harmful_throttling(const std::vector<LoadSample>& samples);

/// Samples one GPU ten times a second in its own thread, from construction until `stop`.
class GpuSampler {
 public:
  explicit GpuSampler(std::string pci_bus_id);
  ~GpuSampler();
  GpuSampler(const GpuSampler&) = delete;
  GpuSampler& operator=(const GpuSampler&) = delete;

  const std::vector<LoadSample>& stop();
  const std::string& unavailable() const { return unavailable_; }  ///< why no sample can be read; empty if it can

 private:
  std::unique_ptr<Nvml> nvml_;
  std::string unavailable_;
  std::atomic<bool> stopping_ = false;
  std::vector<LoadSample> samples_;
  std::thread thread_;
};

}  // namespace rv::workers
