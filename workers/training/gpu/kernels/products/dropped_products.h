#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// The two products around a dropout, fused with it, for GPUs of compute capability 9.0: inputs and outputs are read
/// and written once. Dropout drops the same elements as on the host.
struct DroppedProduct {
  GpuType type = GpuType::bf16;  ///< bf16 or fp16
  std::int64_t rows = 0;
  int width = 0;  ///< columns of the matrix with dropout
  int inner = 0;  ///< length of the sums
};

/// Whether the current device supports these kernels, and `width` and `inner` are multiples of 256.
bool dropped_products_run(const DroppedProduct& sizes);

std::size_t product_signs_bytes(std::int64_t rows, int width);
/// y (rows × width) = dropout(max(0, x · wᵀ + bias)), where x is rows × inner and w is width × inner. `signs`, of
/// product_signs_bytes: the elements of y that are above zero, for the product below.
void relu_dropout_product(const DroppedProduct& sizes, const void* x, const void* w, const void* bias,
                          const GpuDropout& dropout, const StepState* state, void* y, void* signs, cudaStream_t stream);

/// The number of floats in `partial` below.
std::size_t masked_product_floats(std::int64_t rows, int width);
/// dx (rows × width) = (dy · w) · scale where `signs` is set, else 0; dy is rows × inner, w is inner × width. `sums`
/// (may be null): the sums over dx's columns, with the workspace `partial`. Gives the same bits every time.
void masked_product(const DroppedProduct& sizes, const void* dy, const void* w, const void* signs, float scale,
                    void* dx, float* sums, float* partial, cudaStream_t stream);

}  // namespace rv::workers
