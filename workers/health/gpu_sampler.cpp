#include "workers/health/gpu_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "workers/devices/stopping.h"

namespace rv::workers {
namespace {

constexpr auto every = std::chrono::milliseconds(100);

nlohmann::ordered_json spread_of(const std::vector<LoadSample>& samples, const char* name, double unit) {
  std::vector<double> values;
  for (const auto& sample : samples) {
    if (const auto value = sample.readings[name]) values.push_back(static_cast<double>(*value) / unit);
  }
  if (values.empty()) return nullptr;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {{"least", *least}, {"median", median(values)}, {"most", *most}};
}

/// Seconds with the bit set; a reason counts until the next sample.
double seconds_with(const std::vector<LoadSample>& samples, std::uint64_t bit) {
  double seconds = 0;
  for (const auto& sample : samples) {
    if (const auto bits = sample.readings["throttle_bits"]; bits && (*bits & bit) != 0) seconds += sample.seconds;
  }
  return seconds;
}

}  // namespace

nlohmann::ordered_json summarize_load(const std::vector<LoadSample>& samples) {
  nlohmann::ordered_json json = {{"samples", samples.size()},
                                 {"clock_sm_mhz", spread_of(samples, "clock_sm_mhz", 1)},
                                 {"power_w", spread_of(samples, "power_mw", 1000)},
                                 {"temperature_c", spread_of(samples, "temperature_c", 1)}};
  const bool known =
      std::any_of(samples.begin(), samples.end(), [](auto& s) { return s.readings["throttle_bits"].has_value(); });
  json["throttled_seconds"] = nullptr;
  if (known) {
    json["throttled_seconds"] = nlohmann::ordered_json::object();
    for (const auto& reason : throttle_reasons()) {
      const auto seconds = seconds_with(samples, reason.bit);
      if (seconds > 0) json["throttled_seconds"][reason.name] = seconds;
    }
  }
  return json;
}

std::string harmful_throttling(const std::vector<LoadSample>& samples) {
  double total = 0;
  for (const auto& sample : samples) total += sample.seconds;
  for (const auto& reason : throttle_reasons()) {
    const auto seconds = seconds_with(samples, reason.bit);
    if (!reason.benign && seconds > 0.02 * total) {
      return fmt::format("the GPU was throttled for {:.1f} of {:.1f} s: {}", seconds, total, reason.name);
    }
  }
  return "";
}

GpuSampler::GpuSampler(std::string pci_bus_id) : nvml_(Nvml::open(unavailable_)) {
  if (nvml_ == nullptr) return;
  thread_ = std::thread([this, bus = std::move(pci_bus_id)] {
    auto last = std::chrono::steady_clock::now();
    while (!stopping_) {
      std::this_thread::sleep_for(every);
      const auto now = std::chrono::steady_clock::now();
      samples_.push_back({std::chrono::duration<double>(now - last).count(), nvml_->read_load(bus)});
      last = now;
    }
  });
}

GpuSampler::~GpuSampler() {
  stop();
}

const std::vector<LoadSample>& GpuSampler::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
  return samples_;
}

}  // namespace rv::workers
