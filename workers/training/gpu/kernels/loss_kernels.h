#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/row_shape.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// The loss of a step and its gradient, of rows of any width. All of it is enqueued.

/// Scores become gradients, times `share` and the loss scale; losses by row, then by row 1 where the label had the
/// highest score, the first of several, and 0 elsewhere.
void cross_entropy(const RowShape& shape, void* scores, const int* labels, float share, const StepState* state,
                   float* losses, cudaStream_t stream);
/// Their means to history[i] and history[capacity + i], i = (step - 1) % capacity.
void mean_loss(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity,
               cudaStream_t stream);

}  // namespace rv::workers
