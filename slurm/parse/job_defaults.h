// JobDefaults: what a job gets for each of its GPUs when it asks for no memory or no CPUs itself.
#pragma once

#include <optional>
#include <string_view>

#include "base/memory_size.h"

namespace rv::slurm {

struct JobDefaults {
  std::optional<Mebibytes> memory_per_gpu;
  std::optional<int> cpus_per_gpu;
};

/// Reads "DefCpuPerGPU=2,DefMemPerGPU=4000", as scontrol prints it of partitions and of the controller.
JobDefaults parse_job_defaults(std::string_view text);

}  // namespace rv::slurm
