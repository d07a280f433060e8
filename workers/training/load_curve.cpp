#include "workers/training/load_curve.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

}  // namespace

LoadCurve::LoadCurve(const std::string& pci_bus_id) {
  std::string reason;
  nvml_ = Nvml::open(reason);
  if (nvml_) thread_ = std::thread([this, pci_bus_id] { look_on(pci_bus_id); });
}

LoadCurve::~LoadCurve() {
  stop();
}

void LoadCurve::look_on(const std::string& pci_bus_id) {
  const auto began = Clock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    const auto now = std::chrono::duration<double>(Clock::now() - began).count();
    const auto readings = nvml_->read_load(pci_bus_id);
    lock.lock();
    samples_.add(now, readings);
    wake_.wait_for(lock, std::chrono::duration<double>(samples_.seconds_between()), [this] { return stopping_; });
  }
}

Json LoadCurve::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  return samples_.json();
}

Json thinned(const std::vector<double>& values, std::size_t most) {
  const auto each = std::max<std::size_t>(1, (values.size() + most - 1) / most);
  Json list = Json::array();
  for (std::size_t i = 0; i < values.size(); i += each) {
    const auto end = std::min(i + each, values.size());
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i);
    const double sum = std::accumulate(first, values.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    list.push_back(sum / static_cast<double>(end - i));
  }
  return list;
}

}  // namespace rv::workers
