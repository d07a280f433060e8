#pragma once

#include <cuda_runtime_api.h>

#include "workers/ppo/gpu/gpu_arrays.h"

namespace rv::ppo {

/// What the kernels need to know beside the arrays.
struct Collecting {
  GpuShape shape;
  GpuArrays arrays;
  std::size_t log_std = 0, last_biases = 0;  ///< where they lie in the parameters
  std::uint64_t seed = 0;
  int first_environment = 0, world = 1;
  float gamma = 0, lambda = 0;
};

/// Keeps the old policy's deviations and clears the iteration's sums.
void begin_iteration(const Collecting& c, cudaStream_t stream);
/// The environments' observations as padded rows; those of a step but the last also to their place in the order.
void place_observations(const Collecting& c, workers::GpuType type, int step, cudaStream_t stream);
/// values = ELU(values + bias), by column.
void bias_elu(workers::GpuType type, void* values, const float* bias, int rows, int columns, cudaStream_t stream);
/// The last layer's biases, the values, and but for the last step what the environments shall do.
void act(const Collecting& c, int step, cudaStream_t stream);
/// Rewards and lengths of episodes.
void count_step(const Collecting& c, int step, cudaStream_t stream);
/// Sums over all environments, then advantages with mean 0 and variance 1.
void end_collection(const Collecting& c, cudaStream_t stream);

}  // namespace rv::ppo
