#pragma once

#include <cuda_runtime_api.h>

#include "workers/ppo/gpu/gpu_arrays.h"

namespace rv::ppo {

/// The parameters of the kernels besides the arrays.
struct Collecting {
  GpuShape shape;
  GpuArrays arrays;
  std::size_t log_std = 0, last_biases = 0;  ///< positions in the parameters
  std::uint64_t seed = 0;
  int first_environment = 0, world = 1;
  float gamma = 0, lambda = 0;
};

/// Saves the old policy's log σ and clears the sums of the iteration.
void begin_iteration(const Collecting& c, cudaStream_t stream);
/// Writes the environments' observations as padded rows. Except in the last step, it also writes them to their position
/// in the learning order.
void place_observations(const Collecting& c, workers::GpuType type, int step, cudaStream_t stream);
/// values = ELU(values + bias), by column.
void bias_elu(workers::GpuType type, void* values, const float* bias, int rows, int columns, cudaStream_t stream);
/// Adds the last layer's biases, stores the values and, except in the last step, draws the actions.
void act(const Collecting& c, int step, cudaStream_t stream);
/// Updates rewards and lengths of episodes.
void count_step(const Collecting& c, int step, cudaStream_t stream);
/// Sums over all environments, then normalises the advantages to mean 0 and variance 1.
void end_collection(const Collecting& c, cudaStream_t stream);

}  // namespace rv::ppo
