#pragma once

#include "workers/devices/cuda_call.h"

namespace rv::workers {

/// Of the current device: how many, asked once.
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
