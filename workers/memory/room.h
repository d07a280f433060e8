#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace rv::workers {

/// Free and total memory of a device at one moment, bytes.
struct Room {
  std::size_t free = 0, total = 0;
};

/// Of the current CUDA device; nothing in a build without CUDA.
std::optional<Room> gpu_room();
/// Of this host or of this process's cgroup, whichever has less free; nothing if neither can be read.
std::optional<Room> host_room();

/// The largest n below `asked` with `needed(n)` <= `free` bytes; 0 if not even 1 fits. `needed` grows with its
/// argument.
int most_that_fit(int asked, std::size_t free, const std::function<std::size_t(int)>& needed);

}  // namespace rv::workers
