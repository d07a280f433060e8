#pragma once

#include <cstdint>

#include "workers/ppo/adam.h"
#include "workers/ppo/layout.h"
#include "workers/ppo/passengers.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/step/gpu_memory.h"

namespace rv::ppo {

/// Sizes of a learner's iteration.
struct GpuShape {
  int environments = 0, observations = 0, actions = 0, width = 0, outputs = 0, steps = 0;
  int samples = 0;  ///< of an iteration
  int rows = 0;     ///< of a mini-batch
  int slices = 1;   ///< that the weights' gradients are added up in, each a product of its own, so that a GPU is filled
  int slabs = 1;    ///< the same of the biases
  int loss_blocks = 1;
  constexpr int sums() const { return outputs + actions + 3; }  ///< that the loss adds up over its rows
};

/// What a learner has on its GPU. Activations, observations and the working copy of the weights are of the products'
/// type.
struct GpuArrays {
  float *parameters, *first, *second, *gradients;  ///< gradients have the passengers behind them
  void* narrow;                                    ///< weights for the products; the parameters themselves for fp32
  float* seen;                                     ///< environments' own observations
  void *current, *observations;  ///< padded rows: of this step; of all samples, in the order in which they are learnt
  std::uint32_t* sample_of;      ///< which sample lies at a place of that order
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
