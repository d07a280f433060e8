#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workers/devices/cuda_call.h"

namespace rv::workers {

/// Pinned host memory: copies from it run asynchronously.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) {
    if (bytes > 0) cuda_call(cudaMallocHost(&data_, bytes), "allocate pinned memory");
  }
  ~PinnedMemory() { cudaFreeHost(data_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

}  // namespace rv::workers
