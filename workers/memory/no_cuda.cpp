// Replaces gpu_room.cpp in a build without CUDA.
#include "workers/memory/room.h"

namespace rv::workers {

std::optional<Room> gpu_room() {
  return std::nullopt;
}

}  // namespace rv::workers
