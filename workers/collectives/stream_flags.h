#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

namespace rv::workers {

/// Words of GPU memory that a stream sets to 1, or waits for and sets back to 0. No kernel does it: one that waits
/// would keep a multiprocessor from the products beside it. Recorded steps may have them.
class StreamFlags {
 public:
  /// Throws std::runtime_error where the driver has no such thing.
  StreamFlags();

  /// What the stream did before is there before the flags.
  void raise(std::span<std::uint32_t* const> flags, cudaStream_t stream) const;
  void await(std::span<std::uint32_t* const> flags, cudaStream_t stream) const;

 private:
  void* operation_ = nullptr;  ///< the driver's cuStreamBatchMemOp
};

}  // namespace rv::workers
