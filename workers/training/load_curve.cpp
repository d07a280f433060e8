#include "workers/training/load_curve.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_looks = 400;

Json value_of(const GpuReadings& readings, const char* name, double unit) {
  const auto value = readings[name];
  return value ? Json(static_cast<double>(*value) / unit) : Json();
}

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
  auto every = std::chrono::milliseconds(500);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    Look look{std::chrono::duration<double>(Clock::now() - began).count(), nvml_->read_load(pci_bus_id)};
    lock.lock();
    if (!look.readings.numbers.empty()) looks_.push_back(std::move(look));
    if (looks_.size() >= most_looks) {
      for (std::size_t i = 0; 2 * i < looks_.size(); ++i) looks_[i] = std::move(looks_[2 * i]);
      looks_.resize((looks_.size() + 1) / 2);
      every *= 2;
    }
    wake_.wait_for(lock, every, [this] { return stopping_; });
  }
}

Json LoadCurve::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (looks_.empty()) return {};
  Json curve{{"seconds", Json::array()},
             {"power_w", Json::array()},
             {"clock_sm_mhz", Json::array()},
             {"temperature_c", Json::array()}};
  for (const auto& look : looks_) {
    curve["seconds"].push_back(std::round(look.seconds * 1e3) / 1e3);
    curve["power_w"].push_back(value_of(look.readings, "power_mw", 1000));
    curve["clock_sm_mhz"].push_back(value_of(look.readings, "clock_sm_mhz", 1));
    curve["temperature_c"].push_back(value_of(look.readings, "temperature_c", 1));
  }
  return curve;
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
