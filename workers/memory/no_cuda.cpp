// Replaces available_gpu_memory.cpp in a build without CUDA.
#include "workers/memory/available_memory.h"

namespace rv::workers {

std::optional<AvailableMemory> available_gpu_memory() {
  return std::nullopt;
}

}  // namespace rv::workers
