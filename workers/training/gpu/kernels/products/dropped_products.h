#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// The two products around a dropout, and the dropout with them, for GPUs of compute capability 9.0: what
/// goes in and out is read and written once. What is dropped is what the host drops.
struct DroppedProduct {
  GpuType type = GpuType::bf16;  ///< bf16 or fp16
  std::int64_t rows = 0;
  int width = 0;  ///< of what is dropped
  int inner = 0;  ///< of the other operand: how long the sums are
};

/// Whether the current device has what these take, and `width` and `inner` are multiples of 256.
bool dropped_products_run(const DroppedProduct& sizes);

std::size_t product_signs_bytes(std::int64_t rows, int width);
/// y (rows × width) = dropout(max(0, x · wᵀ + bias)), x: rows × inner, w: width × inner. `signs`, of
/// product_signs_bytes: which elements of y are above zero, for the product below.
void relu_dropout_product(const DroppedProduct& sizes, const void* x, const void* w, const void* bias,
                          const GpuDropout& dropout, const StepState* state, void* y, void* signs, cudaStream_t stream);

/// How many floats `partial` takes below.
std::size_t masked_product_floats(std::int64_t rows, int width);
/// dx (rows × width) = (dy · w) · scale where `signs` say so, 0 elsewhere; dy: rows × inner, w: inner ×
/// width. `sums`: of dx's columns, unless it is null, by way of `partial`. The same bits every time.
void masked_product(const DroppedProduct& sizes, const void* dy, const void* w, const void* signs, float scale,
                    void* dx, float* sums, float* partial, cudaStream_t stream);

}  // namespace rv::workers
