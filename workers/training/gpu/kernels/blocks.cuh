#pragma once

#include <cstdint>

#include "workers/devices/cuda_call.h"

namespace rv::workers {

/// Threads of a block in kernels in which each thread processes eight elements, or one.
constexpr int threads = 256;

inline unsigned int blocks_for(std::int64_t count) {
  return static_cast<unsigned int>((count + threads - 1) / threads);
}

/// The number of multiprocessors of the current device, queried once.
inline int multiprocessors() {
  static const int count = [] {
    int device = 0, number = 0;
    cuda_call(cudaGetDevice(&device), "ask for the GPU");
    cuda_call(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, device), "ask for its size");
    return number;
  }();
  return count;
}

}  // namespace rv::workers
