#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "workers/devices/out_of_memory.h"

namespace rv::workers {

/// Throws std::runtime_error with CUDA's message, after `what`, the purpose of the call. Insufficient memory is an
/// OutOfMemory.
inline void cuda_call(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a sticky error stays; an ordinary one must not be read by the next check
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(what);
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

/// Device memory, freed by the destructor.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) { cuda_call(cudaMalloc(&data_, bytes), "allocate GPU memory"); }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  template <class T = void>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

/// A stream, and two events that measure time on it.
class Timer {
 public:
  Timer() {
    cuda_call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    cuda_call(cudaEventCreate(&begin_), "create an event");
    cuda_call(cudaEventCreate(&end_), "create an event");
  }
  ~Timer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaStreamDestroy(stream_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  cudaStream_t stream() const { return stream_; }

  /// Returns the seconds on the GPU between the start and the end of the work that `enqueue` puts on the stream. Waits
  /// for the end.
  template <class Enqueue>
  double seconds(Enqueue enqueue) {
    cuda_call(cudaEventRecord(begin_, stream_), "record an event");
    enqueue();
    cuda_call(cudaGetLastError(), "launch a kernel");
    cuda_call(cudaEventRecord(end_, stream_), "record an event");
    cuda_call(cudaEventSynchronize(end_), "wait for the GPU");
    float milliseconds = 0;
    cuda_call(cudaEventElapsedTime(&milliseconds, begin_, end_), "read a timer");
    return milliseconds / 1e3;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace rv::workers
