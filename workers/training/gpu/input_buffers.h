#pragma once

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/step/gpu_memory.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// The buffers of a batch on the GPU: images as they come from the host (not for tokens); the input in the network's
/// format; labels.
struct InputBuffers {
  float* raw = nullptr;
  void* input = nullptr;
  int* labels = nullptr;
};

/// `from_host`: whether images come from the host; otherwise that buffer is left out.
InputBuffers input_buffers(const Network& network, GpuType type, bool from_host, GpuMemory& memory);

/// The number of floats in a batch's images.
std::size_t image_numbers(const Network& network);

/// Bytes of GPU memory if `decoders` decoders write images there, on a rank of `world`: batches that are read ahead,
/// transferred and held by the slots, and the decoders' own memory.
std::size_t bytes_of_drawing(const Network& network, int decoders, int world);

/// Bytes of an input in the network's format.
std::size_t input_bytes(const Network& network, GpuType type);

}  // namespace rv::workers
