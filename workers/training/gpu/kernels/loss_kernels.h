#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/row_shape.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// The loss of a step and its gradient, for rows of any width. Everything is enqueued.

/// Replaces scores by their gradients, times `share` and the loss scale. Writes the loss of each row; then for each row
/// 1 if the label had the (first) highest score, else 0.
void cross_entropy(const RowShape& shape, void* scores, const int* labels, float share, const StepState* state,
                   float* losses, cudaStream_t stream);
/// Writes the means to history[i] and history[capacity + i], where i = (step - 1) % capacity.
void mean_loss(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity,
               cudaStream_t stream);

}  // namespace rv::workers
