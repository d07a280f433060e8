#include "workers/stress/given_gpus.h"

#include <algorithm>

#include "workers/devices/visible_gpus.h"

namespace rv::workers {
namespace {

GivenGpu given(const GpuReadings& readings, bool is_slice, std::string entry) {
  GivenGpu gpu;
  gpu.device.model = readings.model;
  gpu.device.uuid = readings.uuid;
  gpu.device.pci_bus_id = readings.pci_bus_id;
  const auto total = readings["memory_total_bytes"], used = readings["memory_used_bytes"];
  gpu.device.memory_bytes = total.value_or(0);
  if (total && used) gpu.free_bytes = *total - std::min(*used, *total);
  gpu.is_slice = is_slice;
  gpu.entry = std::move(entry);
  return gpu;
}

std::vector<GpuReadings> slices_of(Nvml& nvml, const GpuReadings& gpu) {
  if (gpu["mig"].value_or(0) == 0) return {};
  auto slices = nvml.read_slices(gpu.pci_bus_id);
  for (auto& slice : slices) slice.pci_bus_id = gpu.pci_bus_id;
  return slices;
}

/// The slice that an entry names; null: none.
const GpuReadings* slice_named(const std::vector<GpuReadings>& slices, const std::string& entry) {
  const auto found = std::find_if(slices.begin(), slices.end(), [&](const auto& one) { return one.uuid == entry; });
  return found == slices.end() ? nullptr : &*found;
}

}  // namespace

std::vector<GivenGpu> given_gpus(Nvml& nvml, const std::optional<std::string>& list) {
  const auto all = nvml.read_all();
  std::vector<GpuReadings> slices;
  std::vector<GivenGpu> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto mine = slices_of(nvml, all[i]);
    slices.insert(slices.end(), mine.begin(), mine.end());
    if (list) continue;
    if (mine.empty()) out.push_back(given(all[i], false, std::to_string(i)));
    for (const auto& slice : mine) out.push_back(given(slice, true, slice.uuid));
  }
  for (std::size_t begin = 0; list && begin <= list->size();) {
    const auto end = std::min(list->find(',', begin), list->size());
    const auto entry = list->substr(begin, end - begin);
    begin = end + 1;
    if (const auto* const slice = slice_named(slices, entry)) {
      out.push_back(given(*slice, true, entry));
      continue;
    }
    const auto gpu = visible_gpus_of(all, entry);
    if (gpu.empty()) break;
    const auto mine = slices_of(nvml, gpu.front());
    out.push_back(mine.empty() ? given(gpu.front(), false, entry) : given(mine.front(), true, mine.front().uuid));
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].device.index = static_cast<int>(i);
  return out;
}

std::vector<std::string> all_gpu_uuids(Nvml& nvml) {
  std::vector<std::string> uuids;
  for (const auto& gpu : nvml.read_all()) {
    const auto slices = slices_of(nvml, gpu);
    if (slices.empty()) uuids.push_back(gpu.uuid);
    for (const auto& slice : slices) uuids.push_back(slice.uuid);
  }
  return uuids;
}

}  // namespace rv::workers
