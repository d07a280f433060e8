#pragma once

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/step/gpu_memory.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// Where a batch waits on the GPU: images as they come from the host, which tokens have none of; the input as the
/// network takes it; labels.
struct InputBuffers {
  float* raw = nullptr;
  void* input = nullptr;
  int* labels = nullptr;
};

/// `from_host`: whether images come from there; else there is no room for them as they come.
InputBuffers input_buffers(const Network& network, GpuType type, bool from_host, GpuMemory& memory);

/// How many numbers a batch's images are.
std::size_t image_numbers(const Network& network);

/// Bytes of what lies on the GPU where so many decoders draw images there, with those of a rank of `world`: batches
/// that are read ahead, handed over and held by the slots, and what the decoders take.
std::size_t bytes_of_drawing(const Network& network, int decoders, int world);

/// Of an input as the network takes it.
std::size_t input_bytes(const Network& network, GpuType type);

}  // namespace rv::workers
