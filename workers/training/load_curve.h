#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "workers/devices/nvml.h"
#include "workers/training/load_history.h"

namespace rv::workers {

/// Samples a GPU during a training in its own thread: twice a second, later less often.
class LoadCurve {
 public:
  /// Starts. Without an answer from the driver there are no samples.
  explicit LoadCurve(const std::string& pci_bus_id);
  ~LoadCurve();
  LoadCurve(const LoadCurve&) = delete;
  LoadCurve& operator=(const LoadCurve&) = delete;

  /// Stops and returns LoadHistory::json.
  nlohmann::ordered_json stop();

 private:
  void look_on(const std::string& pci_bus_id);

  std::unique_ptr<Nvml> nvml_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  LoadHistory samples_;
  std::thread thread_;
};

/// Reduces a list to at most `most` means of neighbours, enough for a chart.
nlohmann::ordered_json thinned(const std::vector<double>& values, std::size_t most);

}  // namespace rv::workers
