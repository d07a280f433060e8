#include "workers/devices/random_input.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {
namespace {

__global__ void begin(StepState* state, std::uint64_t base, long long* seeds, int count) {
  const long long step = state->step + 1;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const auto random = scramble(base ^ (static_cast<std::uint64_t>(i) << 40 ^ static_cast<std::uint64_t>(step)));
    seeds[2 * i] = static_cast<long long>(random >> 2);
    seeds[2 * i + 1] = 0;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  state->step = step;
  state->overflowed = 0;
}

}  // namespace

void begin_step(StepState* state, std::uint64_t base, long long* seeds, int count, cudaStream_t stream) {
  begin<<<1, 32, 0, stream>>>(state, base, seeds, count);
}

}  // namespace rv::workers
