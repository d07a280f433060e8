#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/update_kernels.h"

namespace rv::workers {
namespace {

__device__ GradientKind kind_at(const GradientKind* kinds, std::int64_t at) {
  return kinds[at / static_cast<std::int64_t>(gradient_block)];
}

/// to[i] = from[i] for all i of `wanted` kind.
template <class From, class To>
__global__ void converted(const GradientKind* kinds, GradientKind wanted, std::int64_t begin, std::int64_t packs,
                          const From* from, To* to) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const auto at = begin + 8 * i;
  if (i < packs && kind_at(kinds, at) == wanted) store_pack(to + at, load_pack(from + at));
}

template <class T>
struct OfOneArray {
  const T* gradients;
  __device__ Pack operator()(std::int64_t at) const { return load_pack(gradients + at); }
};
template <class T>
struct ByKind {
  const float* wide;
  const T* narrow;
  const GradientKind* kinds;
  __device__ Pack operator()(std::int64_t at) const {
    return kind_at(kinds, at) == GradientKind::narrow ? load_pack(narrow + at) : load_pack(wide + at);
  }
};
/// Sums in the order of the ranks, so that the sum has the same bits on every rank.
template <class T>
struct OfRanks {
  const T* mine;
  GradientsSent sent;
  __device__ Pack operator()(std::int64_t at) const {
    RawPack<T> raw[GradientsSent::most];
#pragma unroll
    for (int rank = 0; rank < GradientsSent::most; ++rank) {
      if (rank >= sent.ranks) continue;
      const auto* const theirs = static_cast<const T*>(sent.of_rank[rank]);
      raw[rank] = load_raw(theirs == nullptr ? mine + at : theirs + at + sent.ahead);
    }
    Pack sum = unpack(raw[0]);
#pragma unroll
    for (int rank = 1; rank < GradientsSent::most; ++rank) {
      if (rank >= sent.ranks) continue;
      const Pack more = unpack(raw[rank]);
#pragma unroll
      for (int k = 0; k < 8; ++k) sum.v[k] += more.v[k];
    }
    return sum;
  }
};

/// Calls `call` with a function that returns a gradient by its index.
template <class T, class Call>
void with_gradient(const Gradients& g, Call call) {
  const auto* const narrow = static_cast<const T*>(g.narrow);
  switch (g.from) {
    case Gradients::From::wide:
      return call(OfOneArray<float>{g.wide});
    case Gradients::From::narrow:
      return call(OfOneArray<T>{narrow});
    case Gradients::From::kinds:
      return call(ByKind<T>{g.wide, narrow, g.kinds});
    case Gradients::From::ranks:
      return call(OfRanks<T>{narrow, g.sent});
  }
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

template <class Gradient>
__global__ void overflow(Gradient gradient, std::int64_t packs, StepState* state) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * threads;
  bool bad = false;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < packs; i += step) {
    const Pack g = gradient(8 * i);
#pragma unroll
    for (int k = 0; k < 8; ++k) bad = bad || !isfinite(g.v[k]);
  }
  if (bad) state->overflowed = 1;
}

__global__ void added(const float* more, int count, float* to) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i < count) to[i] += more[i];
}

__global__ void also_overflowed(const unsigned int* found, StepState* state) {
  if (*found != 0) state->overflowed = 1;
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

}  // namespace

void widen(const Gradients& g, std::int64_t begin, std::int64_t count, cudaStream_t stream) {
  with_gpu_type(g.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    converted<<<blocks_for(count / 8), threads, 0, stream>>>(g.kinds, GradientKind::narrow, begin, count / 8,
                                                             static_cast<const T*>(g.narrow), g.wide);
  });
}

void narrow(const Gradients& g, std::int64_t begin, std::int64_t count, cudaStream_t stream) {
  with_gpu_type(g.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    converted<<<blocks_for(count / 8), threads, 0, stream>>>(
        g.kinds, GradientKind::wide, begin, count / 8, static_cast<const float*>(g.wide), static_cast<T*>(g.narrow));
  });
}

void add(const float* more, int count, float* to, cudaStream_t stream) {
  added<<<blocks_for(count), threads, 0, stream>>>(more, count, to);
}

void update(const Gradients& gradients, const UpdateMemory& memory, std::int64_t begin, std::int64_t count, float rate,
            const StepState* state, cudaStream_t stream) {
  const auto packs = count / 8;
  with_gpu_type(gradients.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    with_gradient<T>(gradients, [&](auto gradient) {
      if (memory.narrow != nullptr) {
        sgd<T, true><<<blocks_for(packs), threads, 0, stream>>>(memory, gradient, begin, packs, rate, state);
      } else {
        sgd<T, false><<<blocks_for(packs), threads, 0, stream>>>(memory, gradient, begin, packs, rate, state);
      }
    });
  });
}

void find_overflow(const Gradients& gradients, std::int64_t count, StepState* state, cudaStream_t stream) {
  with_gpu_type(gradients.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    with_gradient<T>(gradients,
                     [&](auto gradient) { overflow<<<1056, threads, 0, stream>>>(gradient, count / 8, state); });
  });
}

void add_overflow(const unsigned int* found, StepState* state, cudaStream_t stream) {
  also_overflowed<<<1, 1, 0, stream>>>(found, state);
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
