#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/input_kernels.h"
#include "workers/training/network/network.h"

namespace rv::workers {

inline void put(void* to, const void* from, std::size_t bytes) {
  cuda_call(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "put");
}

inline std::vector<float> read(const float* from, std::size_t count) {
  std::vector<float> all(count);
  cuda_call(cudaMemcpy(all.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost), "read");
  return all;
}

class TestStream {
 public:
  TestStream() { cuda_call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream"); }
  ~TestStream() { cudaStreamDestroy(stream_); }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const { cuda_call(cudaStreamSynchronize(stream_), "wait for the GPU"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Images of a batch (n × h × w × 3) where a network's step reads them.
inline void put_images(const Network& network, std::span<const float> images, GpuType type, void* input,
                       cudaStream_t stream) {
  const DeviceMemory raw(images.size_bytes());
  put(raw.as(), images.data(), images.size_bytes());
  const auto& shape = network.shape(network.input);
  pad_images(type, raw.as<float>(), static_cast<std::int64_t>(shape.rows()), shape.c, input, stream);
  cuda_call(cudaStreamSynchronize(stream), "pad images");
}

}  // namespace rv::workers
