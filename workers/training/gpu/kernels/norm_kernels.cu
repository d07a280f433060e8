#include <algorithm>

#include "workers/training/gpu/kernels/norm_grid.cuh"
#include "workers/training/gpu/kernels/norm_kernels.h"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {
namespace {

constexpr float epsilon = 1e-5F;
constexpr float running_step = 0.1F;

__device__ void set_statistics(float mean, float variance, float n, int c, int channels, const float* scale,
                               const float* shift, float* running, float* statistics) {
  const float inverse = rsqrtf(variance + epsilon);
  statistics[c] = mean;
  statistics[channels + c] = inverse;
  statistics[2 * channels + c] = scale[c] * inverse;
  statistics[3 * channels + c] = shift[c] - mean * scale[c] * inverse;
  const float unbiased = n > 1 ? variance * (n / (n - 1)) : variance;
  running[c] = (1 - running_step) * running[c] + running_step * mean;
  running[channels + c] = (1 - running_step) * running[channels + c] + running_step * unbiased;
}

template <class T>
__global__ void __launch_bounds__(sum_threads)
    statistics(const T* x, std::int64_t rows, int channels, int across, const float* scale, const float* shift,
               float* running, NormMemory memory) {
  const Place at(across, channels);
  Pack sum{}, squares{}, pivot{};
  if (at.active) {
    // A value near the mean, so that the difference of two large numbers does not lose precision.
    pivot = load_pack(x + at.c);
    constexpr int deep = 4;
    for (auto row = at.first; row < rows; row += deep * at.step) {
      RawPack<T> raw[deep];
#pragma unroll
      for (int k = 0; k < deep; ++k) {
        if (row + k * at.step < rows) raw[k] = load_raw(x + (row + k * at.step) * channels + at.c);
      }
#pragma unroll
      for (int k = 0; k < deep; ++k) {
        if (row + k * at.step >= rows) break;
        const Pack p = unpack(raw[k]);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const float off = p.v[i] - pivot.v[i];
          sum.v[i] += off;
          squares.v[i] += off * off;
        }
      }
    }
  }
  float total[2];
  if (!sum_over_blocks(sum, squares, across, memory.partial, memory.finished, total)) return;
  const int c = blockIdx.y * across * 8 + threadIdx.x;
  if (threadIdx.x >= across * 8 || c >= channels) return;
  const auto n = static_cast<float>(rows);
  const float off = total[0] / n, mean = to_float(x[c]) + off;
  const float variance = fmaxf(total[1] / n - off * off, 0.0F);
  set_statistics(mean, variance, n, c, channels, scale, shift, running, memory.statistics);
}

/// Finishes the sums that a library computed together with its convolution.
__global__ void finish_sums(const float* sums, const float* squares, float n, int channels, const float* scale,
                            const float* shift, float* running, float* statistics) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  const float mean = sums[c] / n;
  const float variance = fmaxf(squares[c] / n - mean * mean, 0.0F);
  set_statistics(mean, variance, n, c, channels, scale, shift, running, statistics);
}

template <class T>
__global__ void __launch_bounds__(apply_threads)
    apply(const T* x, const T* residual, bool relu, T* y, std::uint8_t* signs, std::int64_t rows, int channels,
          int across, const float* statistics) {
  const Place at(across, channels);
  if (!at.active) return;
  const Pack scale = load_pack(statistics + 2 * channels + at.c), shift = load_pack(statistics + 3 * channels + at.c);
  constexpr int deep = 4;
  for (auto first = at.first; first < rows; first += deep * at.step) {
    RawPack<T> raw[deep], beside[deep];
#pragma unroll
    for (int d = 0; d < deep; ++d) {
      // From the end, which the pass before has left in the cache.
      const auto place = (rows - 1 - first - d * at.step) * channels + at.c;
      if (first + d * at.step >= rows) break;
      raw[d] = load_raw(x + place);
      if (residual != nullptr) beside[d] = load_raw(residual + place);
    }
#pragma unroll
    for (int d = 0; d < deep; ++d) {
      const auto place = (rows - 1 - first - d * at.step) * channels + at.c;
      if (first + d * at.step >= rows) break;
      Pack p = unpack(raw[d]), r{};
      if (residual != nullptr) r = unpack(beside[d]);
      unsigned int above = 0;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        p.v[i] = p.v[i] * scale.v[i] + shift.v[i] + r.v[i];
        if (relu) p.v[i] = fmaxf(p.v[i], 0.0F);
        above |= (p.v[i] > 0 ? 1U : 0U) << i;
      }
      store_pack(y + place, p);
      if (signs != nullptr) signs[place / 8] = static_cast<std::uint8_t>(above);
    }
  }
}

template <class T>
__global__ void __launch_bounds__(sum_threads)
    pool(const T* x, T* y, std::uint8_t* places, PoolShape shape, int channels, const float* statistics) {
  const int groups = channels / 8;
  const auto index = static_cast<std::int64_t>(blockIdx.x) * sum_threads + threadIdx.x;
  if (index >= static_cast<std::int64_t>(shape.n) * shape.out_h * shape.out_w * groups) return;
  const int c = static_cast<int>(index % groups) * 8;
  const auto out = index / groups;
  const int j = static_cast<int>(out % shape.out_w), i = static_cast<int>(out / shape.out_w % shape.out_h);
  const auto n = out / shape.out_w / shape.out_h;
  const Pack scale = load_pack(statistics + 2 * channels + c), shift = load_pack(statistics + 3 * channels + c);
  Pack best;
  unsigned long long from = 0;
  bool any = false;
#pragma unroll
  for (int r = 0; r < 3; ++r) {
#pragma unroll
    for (int s = 0; s < 3; ++s) {
      const int h = 2 * i - 1 + r, w = 2 * j - 1 + s;
      if (h < 0 || h >= shape.h || w < 0 || w >= shape.w) continue;
      const Pack p = load_pack(x + ((n * shape.h + h) * shape.w + w) * channels + c);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const float value = fmaxf(p.v[k] * scale.v[k] + shift.v[k], 0.0F);
        if (any && !(value > best.v[k])) continue;
        best.v[k] = value;
        from = (from & ~(0xffULL << (8 * k))) | static_cast<unsigned long long>(r * 3 + s) << (8 * k);
      }
      any = true;
    }
  }
  store_pack(y + out * channels + c, best);
  *reinterpret_cast<unsigned long long*>(places + out * channels + c) = from;
}

}  // namespace

std::size_t norm_partial_floats(int channels) {
  // Two sums of up to 256 channels per block; there are as many blocks as multiprocessors, or columns.
  const int columns = (channels + 255) / 256;
  return static_cast<std::size_t>(std::max(columns, multiprocessors())) * 2 * 256;
}

void norm_statistics(const NormShape& shape, const void* x, const float* scale, const float* shift, float* running,
                     const NormMemory& memory, cudaStream_t stream) {
  const auto g = grid_of(shape.rows, shape.channels, sum_threads, 1);
  const dim3 blocks(static_cast<unsigned int>(g.chunks), static_cast<unsigned int>(g.columns));
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    statistics<<<blocks, sum_threads, 0, stream>>>(static_cast<const T*>(x), shape.rows, shape.channels, g.across,
                                                   scale, shift, running, memory);
  });
}

void norm_finish(const NormShape& shape, const float* sums, const float* squares, const float* scale,
                 const float* shift, float* running, const NormMemory& memory, cudaStream_t stream) {
  finish_sums<<<static_cast<unsigned int>((shape.channels + 127) / 128), 128, 0, stream>>>(
      sums, squares, static_cast<float>(shape.rows), shape.channels, scale, shift, running, memory.statistics);
}

void norm_apply(const NormShape& shape, const void* x, const void* residual, bool relu, void* y, std::uint8_t* signs,
                const NormMemory& memory, cudaStream_t stream) {
  const auto g = grid_of(shape.rows, shape.channels, apply_threads, 6);
  const dim3 blocks(static_cast<unsigned int>(g.chunks), static_cast<unsigned int>(g.columns));
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    apply<<<blocks, apply_threads, 0, stream>>>(static_cast<const T*>(x), static_cast<const T*>(residual), relu,
                                                static_cast<T*>(y), signs, shape.rows, shape.channels, g.across,
                                                memory.statistics);
  });
}

void norm_pool(const NormShape& shape, const PoolShape& window, const void* x, void* y, std::uint8_t* places,
               const NormMemory& memory, cudaStream_t stream) {
  const auto count = static_cast<std::int64_t>(window.n) * window.out_h * window.out_w * (shape.channels / 8);
  const auto blocks = static_cast<unsigned int>((count + sum_threads - 1) / sum_threads);
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    pool<<<blocks, sum_threads, 0, stream>>>(static_cast<const T*>(x), static_cast<T*>(y), places, window,
                                             shape.channels, memory.statistics);
  });
}

}  // namespace rv::workers
