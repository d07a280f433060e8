#pragma once

#include "workers/training/gpu/gpu_memory.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// Where a batch waits on the GPU: images as they come, which tokens have none of; the input as the network takes it;
/// labels.
struct InputBuffers {
  float* raw = nullptr;
  void* input = nullptr;
  int* labels = nullptr;
};

InputBuffers input_buffers(const Network& network, GpuType type, GpuMemory& memory);

/// Of an input as the network takes it.
std::size_t input_bytes(const Network& network, GpuType type);

}  // namespace rv::workers
