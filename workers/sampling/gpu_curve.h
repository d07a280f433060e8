#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// Samples of this process's GPUs, as lines "<epoch>|<node>|<columns>". The columns are those that
/// templates/launch/read_gpus.inc.sh requests from nvidia-smi: index, model, % busy, MiB used, MiB in total, W, W
/// limit, °C, driver, MHz. Unknown values are "[N/A]".
class GpuCurve {
 public:
  /// Null if the driver shows no GPU.
  static std::unique_ptr<GpuCurve> open(const std::string& node);
  /// Returns a line for each GPU.
  std::string sample(std::chrono::sys_seconds now);

 private:
  struct Gpu {
    std::size_t index = 0;  ///< in the driver's order, as nvidia-smi counts
    GpuReadings known;      ///< model and limits, which do not change
  };

  std::unique_ptr<Nvml> nvml_;
  std::string node_, driver_;
  std::vector<Gpu> gpus_;
};

/// The pause until the next sample; it grows with the time since the first one, to at most a hundred samples per e-fold
/// of time.
std::chrono::seconds pause_after(std::chrono::seconds looked);

}  // namespace rv::workers
