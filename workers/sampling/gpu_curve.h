#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// What this process's GPUs do, as lines "<epoch>|<node>|<columns>" with the columns that
/// templates/launch/read_gpus.inc.sh asks nvidia-smi for: index, model, % busy, MiB used, MiB, W, W at most, °C,
/// driver, MHz. "[N/A]" is what is not known.
class GpuCurve {
 public:
  /// Null where the driver shows no GPU.
  static std::unique_ptr<GpuCurve> open(const std::string& node);
  /// A line for each GPU.
  std::string look(std::chrono::sys_seconds now);

 private:
  struct Gpu {
    std::size_t index = 0;  ///< in the driver's order, as nvidia-smi counts
    GpuReadings known;      ///< model, limits: what does not change
  };

  std::unique_ptr<Nvml> nvml_;
  std::string node_, driver_;
  std::vector<Gpu> gpus_;
};

/// Until the next look, the later the longer it has gone on: a curve needs no more than a hundred looks for each
/// e-fold.
std::chrono::seconds pause_after(std::chrono::seconds looked);

}  // namespace rv::workers
