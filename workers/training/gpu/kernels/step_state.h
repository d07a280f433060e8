#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// The step number and the loss scale in GPU memory, so that a captured step can be replayed.
struct StepState {
  long long step;           ///< counts from 1
  float loss_scale;         ///< for fp16; else 1
  unsigned int overflowed;  ///< this step has a gradient that is infinite or NaN
  unsigned int good;        ///< steps since the last overflow
  unsigned int skipped;     ///< number of steps with an overflow
};
/// Begins a step: increments its number and clears the overflow. `seeds`: for each of `count` layers, writes a new seed
/// and offset for a library's random numbers.
void begin_step(StepState* state, std::uint64_t base, long long* seeds, int count, cudaStream_t stream);

}  // namespace rv::workers
