#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "workers/devices/cuda_call.h"

namespace rv::workers {

/// A point on a stream.
class GpuEvent {
 public:
  explicit GpuEvent(unsigned int flags) { cuda_call(cudaEventCreateWithFlags(&event_, flags), "create an event"); }
  ~GpuEvent() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  GpuEvent(GpuEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  GpuEvent& operator=(GpuEvent&&) = delete;
  void record(cudaStream_t stream) { cuda_call(cudaEventRecord(event_, stream), "record an event"); }
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace rv::workers
