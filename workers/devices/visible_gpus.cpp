#include "workers/devices/visible_gpus.h"

#include <algorithm>

#include "shared/number.h"

namespace rv::workers {
namespace {

const GpuReadings* find(const std::vector<GpuReadings>& all, const std::string& word) {
  if (const auto number = number_in<std::size_t>(word)) return *number < all.size() ? &all[*number] : nullptr;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& gpu) { return gpu.uuid.starts_with(word); });
  return word.empty() || found == all.end() ? nullptr : &*found;
}

}  // namespace

std::vector<GpuReadings> visible_gpus_of(const std::vector<GpuReadings>& all, const std::optional<std::string>& list) {
  if (!list) return all;
  std::vector<GpuReadings> visible;
  for (std::size_t begin = 0; begin <= list->size();) {
    const auto end = std::min(list->find(',', begin), list->size());
    const auto* const gpu = find(all, list->substr(begin, end - begin));
    if (gpu == nullptr) break;
    visible.push_back(*gpu);
    begin = end + 1;
  }
  return visible;
}

}  // namespace rv::workers
