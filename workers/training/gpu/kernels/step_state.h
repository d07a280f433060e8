#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// Where the step's number and the loss scale lie on the GPU, so that one recorded step can be run again and again.
struct StepState {
  long long step;           ///< counts from 1
  float loss_scale;         ///< of fp16; else 1
  unsigned int overflowed;  ///< this step has a gradient that is no number
  unsigned int good;        ///< steps since the last that had
  unsigned int skipped;     ///< all that had
};
/// A step begins: its number, and no overflow yet. `seeds`: for each of `count` layers a seed and an offset of a
/// library's own random numbers, made anew.
void begin_step(StepState* state, std::uint64_t base, long long* seeds, int count, cudaStream_t stream);

}  // namespace rv::workers
