#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/norm_kernels.h"

namespace rv::workers {

/// The gradients that arrive at a normalisation (one, or two to be added), and the operations between them and the
/// normalised values.
struct NormBack {
  const void* first = nullptr;
  const void* second = nullptr;          ///< null: none
  bool relu = false;                     ///< ReLU without residual: the sign is that of the normalised value
  const std::uint8_t* signs = nullptr;   ///< ReLU after a residual
  void* sum = nullptr;                   ///< where the sum after the mask is written; null: not needed
  const std::uint8_t* places = nullptr;  ///< of norm_pool: `first` and `second` are pooled
  PoolShape pool{};
};
void norm_back(const NormShape& shape, const void* x, const NormBack& back, void* dx, float* dscale, float* dshift,
               const NormMemory& memory, cudaStream_t stream);

}  // namespace rv::workers
