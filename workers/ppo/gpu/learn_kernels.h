#pragma once

#include <cuda_runtime_api.h>

#include "workers/ppo/gpu/gpu_arrays.h"
#include "workers/ppo/sample_loss.h"

namespace rv::ppo {

/// What the kernels need to know beside the arrays.
struct Learning {
  GpuShape shape;
  GpuArrays arrays;
  Layout layout;
  LossWeights<float> weights{};
  float share = 1;  ///< of this rank in a mean over the ranks
  double wanted_kl = 0, grad_norm = 0;
};

/// The loss of a mini-batch, and its gradient by what the networks gave out.
void mini_batch_loss(const Learning& l, workers::GpuType type, int mini_batch, cudaStream_t stream);
/// The gradient behind a layer's ELU becomes that before it; its sums by column are the biases' gradients.
void elu_back(const Learning& l, workers::GpuType type, int layer, cudaStream_t stream);
/// Adds up the weights' gradients, and puts the passengers behind all gradients.
void gather_gradients(const Learning& l, cudaStream_t stream);
/// Decides on the rate and on the gradients' scale, and does Adam's step.
void update_parameters(const Learning& l, workers::GpuType type, cudaStream_t stream);
/// The weights as the products take them.
void copy_weights(const Learning& l, workers::GpuType type, cudaStream_t stream);
void end_iteration(const Learning& l, cudaStream_t stream);

}  // namespace rv::ppo
