#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// Workers that do not fit on their device.
struct MemoryShortage {
  int gpu = -1;  ///< index of the GPU; -1: the host
  int workers = 0;
  std::uint64_t needed_bytes = 0, free_bytes = 0;
  std::uint64_t fits_mib = 0;  ///< the largest matrix, MiB, with which all workers fit; 0: none
};

/// Returns the first device on which the workers do not fit; nothing if all fit or the free memory is unknown. Without
/// GPUs the host's memory and the limit of this process's cgroup count.
std::optional<MemoryShortage> too_much(int workers, std::uint64_t memory_mib, const std::vector<GivenGpu>& gpus);

/// The same with given free memory: of each GPU, or only of the host.
std::optional<MemoryShortage> too_much(int workers, std::uint64_t memory_mib,
                                       const std::vector<std::optional<std::uint64_t>>& free, bool gpu);

std::string to_text(const MemoryShortage& what);

}  // namespace rv::workers
