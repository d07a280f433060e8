#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// A stretch of the array of all parameters.
struct ParameterRange {
  std::int64_t offset, count;
};

/// gradients[i] = narrow[i] for all i of the stretches, `most` of which is the longest; they lie on the GPU.
void widen(GpuType type, const ParameterRange* stretches, int count, std::int64_t most, const void* narrow,
           float* gradients, cudaStream_t stream);
/// narrow[i] = gradients[i], likewise.
void narrow(GpuType type, const ParameterRange* stretches, int count, std::int64_t most, const float* gradients,
            void* narrow, cudaStream_t stream);

/// The narrow gradients of all ranks for `count` parameters from `offset` on, one rank's behind another's.
struct RankGradients {
  const void* narrow;
  std::int64_t offset, count;
  int ranks;
};
/// gradients[i] = the sum over the ranks, in fp32 and in their order: the same bits on all of them.
void add_ranks(GpuType type, const RankGradients& of_all, float* gradients, cudaStream_t stream);

/// SGD with momentum 0.9, and the narrow copies of what it moved; `narrow` null: there are none. Gradients are divided
/// by the loss scale; a step that overflowed changes nothing.
struct UpdateMemory {
  float* parameters;
  float* momentum;
  const float* gradients;
  void* narrow;
};
inline constexpr float momentum_factor = 0.9F;
void update(GpuType type, const UpdateMemory& memory, std::int64_t offset, std::int64_t count, float rate,
            const StepState* state, cudaStream_t stream);
/// The same by the sum over the ranks, in place of memory.gradients. For narrow types alone.
void update(GpuType type, const UpdateMemory& memory, const RankGradients& of_all, float rate, const StepState* state,
            cudaStream_t stream);

/// Sets state->overflowed where a gradient is infinite or no number.
void find_overflow(const float* gradients, std::int64_t count, StepState* state, cudaStream_t stream);
/// After the update: halves the loss scale after an overflow, doubles it after 2000 steps without one.
void adjust_scale(StepState* state, cudaStream_t stream);

/// Narrow copies of all parameters.
void narrow_copy(GpuType type, const float* from, void* to, std::int64_t count, cudaStream_t stream);

}  // namespace rv::workers
