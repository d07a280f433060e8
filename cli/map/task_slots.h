// Where tasks run on a node: each slot has its GPUs for one task at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "monitor/tasks/task_list.h"

namespace rv::cli {

struct TaskSlot {
  std::string gpus;  // for CUDA_VISIBLE_DEVICES: "2,3"; empty: a task without GPUs
};

/// The slots of a node. `visible`: its CUDA_VISIBLE_DEVICES, "0,1" or UUIDs. `cpus`: the CPUs that the job has there.
/// Slots of the same GPU are as far apart as possible, so that few tasks are spread over all GPUs. None if there are
/// fewer GPUs or CPUs than a task needs.
std::vector<TaskSlot> task_slots(const monitor::TaskList& list, std::string_view visible, int cpus);

}  // namespace rv::cli
