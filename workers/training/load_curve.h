#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "workers/devices/nvml.h"
#include "workers/training/load_looks.h"

namespace rv::workers {

/// What a GPU does while it trains: looked at twice a second from a thread of its own, more rarely the longer it goes
/// on.
class LoadCurve {
 public:
  /// Begins. Where the driver does not answer there are no looks.
  explicit LoadCurve(const std::string& pci_bus_id);
  ~LoadCurve();
  LoadCurve(const LoadCurve&) = delete;
  LoadCurve& operator=(const LoadCurve&) = delete;

  /// Ends it: as LoadLooks::json.
  nlohmann::ordered_json stop();

 private:
  void look_on(const std::string& pci_bus_id);

  std::unique_ptr<Nvml> nvml_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  LoadLooks looks_;
  std::thread thread_;
};

/// A list of means of neighbours, at most `most` of them: what is drawn needs no more.
nlohmann::ordered_json thinned(const std::vector<double>& values, std::size_t most);

}  // namespace rv::workers
