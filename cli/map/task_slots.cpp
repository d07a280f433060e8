#include "cli/map/task_slots.h"

#include <algorithm>
#include <cstddef>

#include "slurm/parse/field.h"

namespace rv::cli {

std::vector<TaskSlot> task_slots(const monitor::TaskList& list, std::string_view visible, int cpus) {
  std::vector<TaskSlot> slots;
  if (list.gpus_per_task == 0) {
    slots.resize(static_cast<std::size_t>(std::max(0, cpus / list.cpus_per_task)));
    return slots;
  }
  auto gpus = slurm::split(visible, ',');
  std::erase(gpus, "");
  const auto each = static_cast<std::size_t>(list.gpus_per_task);
  for (int round = 0; round < list.per_gpu; ++round) {
    for (std::size_t first = 0; first + each <= gpus.size(); first += each) {
      TaskSlot slot{std::string(gpus[first])};
      for (std::size_t next = 1; next < each; ++next) slot.gpus.append(",").append(gpus[first + next]);
      slots.push_back(std::move(slot));
    }
  }
  return slots;
}

}  // namespace rv::cli
