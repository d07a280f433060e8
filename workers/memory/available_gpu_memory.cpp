#include "workers/devices/cuda_call.h"
#include "workers/memory/available_memory.h"

namespace rv::workers {

std::optional<AvailableMemory> available_gpu_memory() {
  AvailableMemory memory;
  cuda_call(cudaMemGetInfo(&memory.free, &memory.total), "ask for free memory");
  return memory;
}

}  // namespace rv::workers
