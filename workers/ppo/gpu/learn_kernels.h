#pragma once

#include <cuda_runtime_api.h>

#include "workers/ppo/gpu/gpu_arrays.h"
#include "workers/ppo/sample_loss.h"

namespace rv::ppo {

/// The arguments of the kernels.
struct Learning {
  GpuShape shape;
  GpuArrays arrays;
  Layout layout;
  LossWeights<float> weights{};
  float share = 1;  ///< weight of this rank in a mean over the ranks
  double wanted_kl = 0, grad_norm = 0;
};

/// The loss of a mini-batch, and its gradient with respect to the networks' outputs.
void mini_batch_loss(const Learning& l, workers::GpuType type, int mini_batch, cudaStream_t stream);
/// Replaces the gradient after a layer's ELU by the one before it; the sums over its columns are the biases' gradients.
void elu_back(const Learning& l, workers::GpuType type, int layer, cudaStream_t stream);
/// Sums the slices of the weights' gradients, and appends the passengers (passengers.h) to all gradients.
void gather_gradients(const Learning& l, cudaStream_t stream);
/// Computes the learning rate and the gradients' scale, and makes Adam's step.
void update_parameters(const Learning& l, workers::GpuType type, cudaStream_t stream);
/// Updates the working copy of the weights.
void copy_weights(const Learning& l, workers::GpuType type, cudaStream_t stream);
void end_iteration(const Learning& l, cudaStream_t stream);

}  // namespace rv::ppo
