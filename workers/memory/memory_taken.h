#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "workers/memory/available_memory.h"

namespace rv::workers {

/// The memory that a process uses, and the source of the figure: "driver" (all GPU memory of the process, with its CUDA
/// context), "free_memory" (the decrease of the GPU's free memory since construction: without the context, but with
/// what other processes took meanwhile), or "kernel" (host memory).
struct MemoryTaken {
  std::uint64_t bytes = 0;
  std::string source;
};

/// Returns the driver's figure for this process, if it reports one, else the decrease of free memory. A driver's figure
/// below `allocated` belongs to a process with the same number in another PID namespace and is ignored.
MemoryTaken memory_taken(const std::optional<std::map<unsigned, std::uint64_t>>& by_process, unsigned process,
                         std::uint64_t allocated, const AvailableMemory& before, const AvailableMemory& now);

/// The peak GPU memory of this process on the current CUDA device, over all samples.
class GpuMemoryTaken {
 public:
  /// Starts here. `uuid` is the UUID of the GPU or its slice, for the driver.
  explicit GpuMemoryTaken(std::string uuid);
  void sample(std::uint64_t allocated);
  const MemoryTaken& most() const { return most_; }

 private:
  std::string uuid_;
  std::optional<AvailableMemory> before_;
  MemoryTaken most_;
};

/// The peak host memory of this process so far.
MemoryTaken host_memory_taken();

}  // namespace rv::workers
