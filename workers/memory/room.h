#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace rv::workers {

/// Memory of a device as it is now, bytes.
struct Room {
  std::size_t free = 0, total = 0;
};

/// Of the current CUDA device; nothing in a build without CUDA.
std::optional<Room> gpu_room();
/// Of this host and of this process's cgroup, whichever is less; nothing where neither is told.
std::optional<Room> host_room();

/// The most, below `asked`, that `needed` no more than `free` bytes; 0: not even one. `needed` grows with its argument.
int most_that_fit(int asked, std::size_t free, const std::function<std::size_t(int)>& needed);

}  // namespace rv::workers
