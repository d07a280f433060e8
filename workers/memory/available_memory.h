#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace rv::workers {

/// Free and total memory of a device at one moment, bytes.
struct AvailableMemory {
  std::size_t free = 0, total = 0;
};

/// Reads the memory of the current CUDA device; nothing in a build without CUDA.
std::optional<AvailableMemory> available_gpu_memory();
/// Reads the memory of this host or of this process's cgroup, whichever has less free; nothing if neither can be read.
std::optional<AvailableMemory> available_host_memory();

/// The largest n below `asked` with `needed(n)` <= `free` bytes; 0 if not even 1 fits. `needed` grows with its
/// argument.
int most_that_fit(int asked, std::size_t free, const std::function<std::size_t(int)>& needed);

}  // namespace rv::workers
