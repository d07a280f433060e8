#pragma once

#include <cstdint>

#include "workers/ppo/adam.h"
#include "workers/ppo/layout.h"
#include "workers/ppo/passengers.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/step/gpu_memory.h"

namespace rv::ppo {

/// The sizes of an iteration of the learner.
struct GpuShape {
  int environments = 0, observations = 0, actions = 0, width = 0, outputs = 0, steps = 0;
  int samples = 0;  ///< of an iteration
  int rows = 0;     ///< of a mini-batch
  int slices = 1;   ///< the weights' gradients are summed in this many products, so that they use the whole GPU
  int slabs = 1;    ///< the same for the biases
  int loss_blocks = 1;
  constexpr int sums() const { return outputs + actions + 3; }  ///< number of sums of the loss over its rows
};

/// The arrays of a learner on its GPU. Activations, observations and the working copy of the weights have the type of
/// the products.
struct GpuArrays {
  float *parameters, *first, *second, *gradients;  ///< the passengers follow the gradients
  void* narrow;                                    ///< working copy of the weights; with fp32 the parameters themselves
  float* seen;                                     ///< the environments' observations
  void *current, *observations;                    ///< padded rows: of this step; of all samples in the learning order
  std::uint32_t* sample_of;                        ///< sample number by position in the learning order
  float *actions, *means, *log_densities, *values, *advantages, *wanted_values, *rewards, *old_log_std;
  std::uint8_t *terminated, *timed_out;
  float *episode_rewards, *ended_rewards, *ended_lengths, *ended, *step_rewards;  ///< by environment
  std::int32_t* episode_lengths;
  void *active[3], *back[3], *d_out;
  float *out, *slices, *slabs, *loss_parts;
  double *moments, *partial;
  Progress* progress;
  Update<float>* update;
  Passengers* collected;
  LossFigures* losses;
  float* warned;
  void* workspace;
};

inline constexpr std::size_t product_workspace = std::size_t{64} << 20;
inline constexpr int reduce_blocks = 256;

GpuShape gpu_shape(const Layout& layout, int environments, const Settings& settings);
GpuArrays lay_out(const Layout& layout, const GpuShape& shape, workers::GpuType type, workers::GpuMemory& memory);

}  // namespace rv::ppo
