#include <algorithm>

#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/update_kernels.h"

namespace rv::workers {
namespace {

/// to[i] = from[i] for all i of the stretches.
template <class From, class To>
__global__ void converted(const ParameterRange* stretches, const From* from, To* to) {
  const ParameterRange s = stretches[blockIdx.y];
  const auto step = static_cast<std::int64_t>(gridDim.x) * threads;
  // Stretches begin at multiples of 64, and what is behind their end is nobody's.
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; 8 * i < s.count; i += step) {
    store_pack(to + s.offset + 8 * i, load_pack(from + s.offset + 8 * i));
  }
}

/// Where the gradient of a parameter comes from.
struct OfOneArray {
  const float* gradients;
  __device__ Pack operator()(std::int64_t at) const { return load_pack(gradients + at); }
};
template <class T>
struct OfRanks {
  RankGradients of_all;
  __device__ Pack operator()(std::int64_t at) const {
    const auto* from = static_cast<const T*>(of_all.narrow) + (at - of_all.offset);
    Pack sum = load_pack(from);
    for (int rank = 1; rank < of_all.ranks; ++rank) {
      const Pack other = load_pack(from + rank * of_all.count);
#pragma unroll
      for (int k = 0; k < 8; ++k) sum.v[k] += other.v[k];
    }
    return sum;
  }
};

template <class T>
__global__ void ranks_added(OfRanks<T> gradient, float* gradients, std::int64_t packs) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs) return;
  const auto at = gradient.of_all.offset + 8 * i;
  store_pack(gradients + at, gradient(at));
}

template <class T, bool copies, class Gradient>
__global__ void sgd(UpdateMemory memory, Gradient gradient, std::int64_t offset, std::int64_t packs, float rate,
                    const StepState* state) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs || state->overflowed != 0) return;
  const auto at = offset + 8 * i;
  const float unscale = 1.0F / state->loss_scale;
  Pack w = load_pack(memory.parameters + at), v = load_pack(memory.momentum + at);
  const Pack g = gradient(at);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    v.v[k] = momentum_factor * v.v[k] + g.v[k] * unscale;
    w.v[k] -= rate * v.v[k];
  }
  store_pack(memory.parameters + at, w);
  store_pack(memory.momentum + at, v);
  if constexpr (copies) store_pack(static_cast<T*>(memory.narrow) + at, w);
}

__global__ void overflow(const float* gradients, std::int64_t packs, StepState* state) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * threads;
  bool bad = false;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < packs; i += step) {
    const Pack g = load_pack(gradients + 8 * i);
#pragma unroll
    for (int k = 0; k < 8; ++k) bad = bad || !isfinite(g.v[k]);
  }
  if (bad) state->overflowed = 1;
}

__global__ void adjust(StepState* state) {
  if (state->overflowed != 0) {
    state->loss_scale = fmaxf(state->loss_scale / 2, 1.0F);
    state->good = 0;
    ++state->skipped;
  } else if (++state->good == 2000) {
    state->loss_scale = fminf(state->loss_scale * 2, 16777216.0F);
    state->good = 0;
  }
}

template <class T>
__global__ void copied(const float* from, T* to, std::int64_t packs) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < packs) store_pack(to + 8 * i, load_pack(from + 8 * i));
}

/// A row of at most so many blocks for each stretch, the longest of which has `most` elements.
dim3 blocks_of_stretches(int count, std::int64_t most, unsigned int at_most) {
  return {std::min(blocks_for(most / 8), at_most), static_cast<unsigned int>(count)};
}

}  // namespace

void widen(GpuType type, const ParameterRange* stretches, int count, std::int64_t most, const void* narrow,
           float* gradients, cudaStream_t stream) {
  if (count == 0) return;
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    converted<<<blocks_of_stretches(count, most, 64), threads, 0, stream>>>(stretches, static_cast<const T*>(narrow),
                                                                            gradients);
  });
}

void narrow(GpuType type, const ParameterRange* stretches, int count, std::int64_t most, const float* gradients,
            void* narrow, cudaStream_t stream) {
  if (count == 0) return;
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    converted<<<blocks_of_stretches(count, most, 1024), threads, 0, stream>>>(stretches, gradients,
                                                                              static_cast<T*>(narrow));
  });
}

void add_ranks(GpuType type, const RankGradients& of_all, float* gradients, cudaStream_t stream) {
  const auto packs = of_all.count / 8;
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    ranks_added<<<blocks_for(packs), threads, 0, stream>>>(OfRanks<T>{of_all}, gradients, packs);
  });
}

void update(GpuType type, const UpdateMemory& memory, std::int64_t offset, std::int64_t count, float rate,
            const StepState* state, cudaStream_t stream) {
  const auto packs = count / 8;
  const OfOneArray gradient{memory.gradients};
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    if (memory.narrow != nullptr) {
      sgd<T, true><<<blocks_for(packs), threads, 0, stream>>>(memory, gradient, offset, packs, rate, state);
    } else {
      sgd<T, false><<<blocks_for(packs), threads, 0, stream>>>(memory, gradient, offset, packs, rate, state);
    }
  });
}

void update(GpuType type, const UpdateMemory& memory, const RankGradients& of_all, float rate, const StepState* state,
            cudaStream_t stream) {
  const auto packs = of_all.count / 8;
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    sgd<T, true>
        <<<blocks_for(packs), threads, 0, stream>>>(memory, OfRanks<T>{of_all}, of_all.offset, packs, rate, state);
  });
}

void find_overflow(const float* gradients, std::int64_t count, StepState* state, cudaStream_t stream) {
  overflow<<<1056, threads, 0, stream>>>(gradients, count / 8, state);
}

void adjust_scale(StepState* state, cudaStream_t stream) {
  adjust<<<1, 1, 0, stream>>>(state);
}

void narrow_copy(GpuType type, const float* from, void* to, std::int64_t count, cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    copied<<<blocks_for(count / 8), threads, 0, stream>>>(from, static_cast<T*>(to), count / 8);
  });
}

}  // namespace rv::workers
