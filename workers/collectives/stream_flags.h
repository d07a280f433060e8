#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

namespace rv::workers {

/// Flags (32-bit words of GPU memory) that a stream sets to 1, or waits for and resets to 0. The driver's stream memory
/// operations do this, not a kernel: a waiting kernel would occupy a multiprocessor. Calls may be captured in a graph.
class StreamFlags {
 public:
  /// Throws std::runtime_error if the driver lacks cuStreamBatchMemOp.
  StreamFlags();

  /// Sets the flags. A thread that reads them as set also reads all earlier writes of the stream.
  void raise(std::span<std::uint32_t* const> flags, cudaStream_t stream) const;
  void await(std::span<std::uint32_t* const> flags, cudaStream_t stream) const;

 private:
  void* operation_ = nullptr;  ///< the driver's cuStreamBatchMemOp
};

}  // namespace rv::workers
