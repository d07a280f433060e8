#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "workers/memory/room.h"

namespace rv::workers {

/// What a process has taken of a memory, and who says so: "driver" (all of it, the CUDA context included),
/// "free_memory" (what the GPU's free memory has shrunk by since a beginning: without the context, and with what others
/// took meanwhile), or "kernel" (of the host's).
struct MemoryTaken {
  std::uint64_t bytes = 0;
  std::string source;
};

/// The driver's figure for this process, where it tells one. Less than the process has `allocated` is another's that
/// has the same number in another PID namespace.
MemoryTaken memory_taken(const std::optional<std::map<unsigned, std::uint64_t>>& by_process, unsigned process,
                         std::uint64_t allocated, const Room& before, const Room& now);

/// What this process takes of the current CUDA device, at its most of all looks.
class GpuMemoryTaken {
 public:
  /// From here on. `uuid` names the GPU, or its slice, to the driver.
  explicit GpuMemoryTaken(std::string uuid);
  void look(std::uint64_t allocated);
  const MemoryTaken& most() const { return most_; }

 private:
  std::string uuid_;
  std::optional<Room> before_;
  MemoryTaken most_;
};

/// The most that this process had in the host's memory so far.
MemoryTaken host_memory_taken();

}  // namespace rv::workers
