// JobDefaults: the memory and CPUs that a job gets for each of its GPUs if it does not request them itself.
#pragma once

#include <optional>
#include <string_view>

#include "base/memory_size.h"

namespace rv::slurm {

struct JobDefaults {
  std::optional<Mebibytes> memory_per_gpu;
  std::optional<int> cpus_per_gpu;
};

/// Reads "DefCpuPerGPU=2,DefMemPerGPU=4000", as scontrol prints it for partitions and for the controller.
JobDefaults parse_job_defaults(std::string_view text);

}  // namespace rv::slurm
