#include "workers/sampling/gpu_curve.h"

#include <fmt/format.h>

#include <algorithm>

#include "workers/sampling/sampler.h"

namespace rv::workers {
namespace {

constexpr double mib = 1024.0 * 1024.0;
constexpr auto unknown = "[N/A]";

std::string cell(const GpuReadings& gpu, const char* name, double unit = 1, int decimals = 0) {
  const auto value = gpu[name];
  return value ? fmt::format("{:.{}f}", static_cast<double>(*value) / unit, decimals) : unknown;
}

}  // namespace

std::unique_ptr<GpuCurve> GpuCurve::open(const std::string& node) {
  std::string reason;
  auto curve = std::make_unique<GpuCurve>();
  curve->nvml_ = Nvml::open(reason);
  if (!curve->nvml_) return nullptr;
  const auto all = curve->nvml_->read_all();
  for (auto& own : gpus_of_this_process(curve->nvml_.get())) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.pci_bus_id == own.pci_bus_id; });
    curve->gpus_.push_back({static_cast<std::size_t>(at - all.begin()), std::move(own)});
  }
  if (curve->gpus_.empty()) return nullptr;
  curve->node_ = node;
  curve->driver_ = curve->nvml_->driver_version();
  return curve;
}

std::string GpuCurve::sample(std::chrono::sys_seconds now) {
  std::string lines;
  for (const auto& gpu : gpus_) {
    const auto use = nvml_->read_use(gpu.known.pci_bus_id);
    lines += fmt::format("{}|{}|{}, {}, {}, {}, {}, {}, {}, {}, {}, {}\n", now.time_since_epoch().count(), node_,
                         gpu.index, gpu.known.model, cell(use, "utilization_gpu_pct"),
                         cell(use, "memory_used_bytes", mib), cell(gpu.known, "memory_total_bytes", mib),
                         cell(use, "power_mw", 1000, 2), cell(gpu.known, "power_limit_mw", 1000, 2),
                         cell(use, "temperature_c"), driver_.empty() ? unknown : driver_, cell(use, "clock_sm_mhz"));
  }
  return lines;
}

std::chrono::seconds pause_after(std::chrono::seconds looked) {
  return std::max(std::chrono::seconds(5), looked / 100);
}

}  // namespace rv::workers
