#include "workers/devices/visible_gpus.h"

#include <algorithm>
#include <charconv>

namespace rv::workers {
namespace {

const GpuReadings* find(const std::vector<GpuReadings>& all, const std::string& word) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (fault == std::errc() && end == word.data() + word.size()) return number < all.size() ? &all[number] : nullptr;
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
