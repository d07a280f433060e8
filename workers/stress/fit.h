#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// Workers that can't fit where they are to go.
struct TooMuch {
  int gpu = -1;  ///< its place, or -1: the host
  int workers = 0;
  std::uint64_t needed_bytes = 0, free_bytes = 0;
  std::uint64_t fits_mib = 0;  ///< the memory of a matrix with which as many workers fit; 0: with none
};

/// The first place where they don't fit; nothing: all fit, or nobody knows what is free. Without GPUs the host's memory
/// counts, and the limit of this process's cgroup.
std::optional<TooMuch> too_much(int workers, std::uint64_t memory_mib, const std::vector<GivenGpu>& gpus);

/// The same with what is free: of each GPU, or of the host alone.
std::optional<TooMuch> too_much(int workers, std::uint64_t memory_mib,
                                const std::vector<std::optional<std::uint64_t>>& free, bool gpu);

std::string to_text(const TooMuch& what);

}  // namespace rv::workers
