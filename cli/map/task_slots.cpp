#include "cli/map/task_slots.h"

#include <algorithm>
#include <cstddef>

namespace rv::cli {
namespace {

std::vector<std::string> gpus_of(std::string_view visible) {
  std::vector<std::string> gpus;
  while (!visible.empty()) {
    const auto comma = visible.find(',');
    if (comma != 0) gpus.emplace_back(visible.substr(0, comma));
    visible.remove_prefix(comma == std::string_view::npos ? visible.size() : comma + 1);
  }
  return gpus;
}

}  // namespace

std::vector<TaskSlot> task_slots(const monitor::TaskList& list, std::string_view visible, int cpus) {
  std::vector<TaskSlot> slots;
  if (list.gpus_per_task == 0) {
    slots.resize(static_cast<std::size_t>(std::max(0, cpus / list.cpus_per_task)));
    return slots;
  }
  const auto gpus = gpus_of(visible);
  const auto each = static_cast<std::size_t>(list.gpus_per_task);
  for (int round = 0; round < list.per_gpu; ++round) {
    for (std::size_t first = 0; first + each <= gpus.size(); first += each) {
      TaskSlot slot{gpus[first]};
      for (std::size_t next = 1; next < each; ++next) slot.gpus.append(",").append(gpus[first + next]);
      slots.push_back(std::move(slot));
    }
  }
  return slots;
}

}  // namespace rv::cli
