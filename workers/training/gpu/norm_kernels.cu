#include <algorithm>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/norm_kernels.h"
#include "workers/training/gpu/pack.cuh"

namespace rv::workers {
namespace {

constexpr int threads = 512;        ///< of a block that adds up
constexpr int apply_threads = 256;  ///< of one that does not
constexpr float epsilon = 1e-5F;
constexpr float running_step = 0.1F;

/// A block has `across` threads side by side, eight channels each, and the rest of its threads below each other.
struct Grid {
  int across, down, columns, chunks;
};

int multiprocessors() {
  static const int count = [] {
    int device = 0, number = 0;
    cuda_call(cudaGetDevice(&device), "ask for the GPU");
    cuda_call(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, device), "ask for its size");
    return number;
  }();
  return count;
}

Grid grid_of(std::int64_t rows, int channels, int wanted, int blocks_each) {
  const int groups = channels / 8;
  int across = 1;
  while (across < 32 && across < groups) across *= 2;
  const int down = wanted / across, columns = (groups + across - 1) / across;
  const auto useful = static_cast<int>(std::min<std::int64_t>((rows + down - 1) / down, 65535));
  const int chunks = std::clamp(multiprocessors() * blocks_each / columns, 1, useful);
  return {across, down, columns, chunks};
}

/// The thread's place.
struct Place {
  __device__ Place(int across, int channels)
      : lane(threadIdx.x % across),
        group(blockIdx.y * across + lane),
        c(group * 8),
        active(c < channels),
        first(static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / across) + threadIdx.x / across),
        step(static_cast<std::int64_t>(gridDim.x) * (blockDim.x / across)) {}
  int lane, group, c;
  bool active;
  std::int64_t first, step;
};

/// Adds `a` and `b` over all rows of all blocks. True in all threads of the one block that ends last, whose first
/// 8 · across threads then hold the sums of channel threadIdx.x in `total`.
__device__ bool sum_over_blocks(Pack a, Pack b, int across, float* partial, unsigned int* finished, float (&total)[2]) {
  constexpr int warps = threads / 32;
  __shared__ float shared[2][warps * 256];
  __shared__ bool last;
  const int wide = across * 8, lane = threadIdx.x % across;
  // Threads of a warp that have the same channels first.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    for (int off = 16; off >= across; off /= 2) {
      a.v[i] += __shfl_xor_sync(0xffffffffU, a.v[i], off);
      b.v[i] += __shfl_xor_sync(0xffffffffU, b.v[i], off);
    }
  }
  if (threadIdx.x % 32 < across) {
    const int row = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      shared[0][row * wide + lane * 8 + i] = a.v[i];
      shared[1][row * wide + lane * 8 + i] = b.v[i];
    }
  }
  __syncthreads();
  float* const mine = partial + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * 2 * wide;
  for (int k = threadIdx.x; k < 2 * wide; k += threads) {
    const int which = k / wide, c = k % wide;
    float sum = 0;
    for (int r = 0; r < warps; ++r) sum += shared[which][r * wide + c];
    mine[k] = sum;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(finished + blockIdx.y, 1U) == gridDim.x - 1;
  __syncthreads();
  if (!last) return false;
  __threadfence();
  const float* const all = partial + static_cast<std::int64_t>(blockIdx.y) * gridDim.x * 2 * wide;
  const int parts = threads / wide, part = threadIdx.x / wide, c = threadIdx.x % wide;
  float sums[2] = {0, 0};
#pragma unroll 4
  for (unsigned int chunk = part; chunk < gridDim.x; chunk += parts) {
    sums[0] += __ldcg(all + chunk * 2 * wide + c);
    sums[1] += __ldcg(all + chunk * 2 * wide + wide + c);
  }
  shared[0][threadIdx.x] = sums[0];
  shared[1][threadIdx.x] = sums[1];
  __syncthreads();
  total[0] = total[1] = 0;
  if (threadIdx.x < wide) {
    for (int p = 0; p < parts; ++p) {
      total[0] += shared[0][p * wide + threadIdx.x];
      total[1] += shared[1][p * wide + threadIdx.x];
    }
  }
  if (threadIdx.x == 0) finished[blockIdx.y] = 0;
  return true;
}

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
__global__ void __launch_bounds__(threads)
    statistics(const T* x, std::int64_t rows, int channels, int across, const float* scale, const float* shift,
               float* running, NormMemory memory) {
  const Place at(across, channels);
  Pack sum{}, squares{}, pivot{};
  if (at.active) {
    // Near the mean, so that the difference of two large numbers is none.
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

/// What a library added up along with its convolution.
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
__global__ void __launch_bounds__(threads)
    pool(const T* x, T* y, std::uint8_t* places, PoolShape shape, int channels, const float* statistics) {
  const int groups = channels / 8;
  const auto index = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
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

/// What stands between a gradient and the normalised values.
enum class Way { plain, relu, signs, pooled };

Way way_of(const NormBack& back) {
  if (back.places != nullptr) return Way::pooled;
  if (back.signs != nullptr) return Way::signs;
  return back.relu ? Way::relu : Way::plain;
}

/// What is read for one place of the normalised values.
template <class T>
struct RawBack {
  RawPack<T> x, first, second;
  unsigned int signs;
};

template <class T, Way way>
__device__ RawBack<T> load_back(const T* x, const NormBack& back, std::int64_t place) {
  RawBack<T> raw;
  raw.x = load_raw(x + place);
  if constexpr (way != Way::pooled) {
    raw.first = load_raw(static_cast<const T*>(back.first) + place);
    if (back.second != nullptr) raw.second = load_raw(static_cast<const T*>(back.second) + place);
    if constexpr (way == Way::signs) raw.signs = back.signs[place / 8];
  }
  return raw;
}

/// The gradient at one place of the normalised values.
template <class T, Way way>
__device__ Pack incoming(const NormBack& back, const RawBack<T>& raw, const Pack& x, std::int64_t row, int c,
                         int channels, const Pack& scale, const Pack& shift) {
  Pack g{};
  const auto* const first = static_cast<const T*>(back.first);
  const auto* const second = static_cast<const T*>(back.second);
  if constexpr (way == Way::pooled) {
    const auto& s = back.pool;
    const int w = static_cast<int>(row % s.w), h = static_cast<int>(row / s.w % s.h);
    const auto n = row / s.w / s.h;
    for (int i = h / 2; i <= (h + 1) / 2 && i < s.out_h; ++i) {
      for (int j = w / 2; j <= (w + 1) / 2 && j < s.out_w; ++j) {
        const auto out = ((n * s.out_h + i) * s.out_w + j) * channels + c;
        const auto mine = static_cast<unsigned int>((h - 2 * i + 1) * 3 + (w - 2 * j + 1));
        const auto from = *reinterpret_cast<const unsigned long long*>(back.places + out);
        Pack p = load_pack(first + out);
        if (second != nullptr) {
          const Pack q = load_pack(second + out);
#pragma unroll
          for (int k = 0; k < 8; ++k) p.v[k] += q.v[k];
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) g.v[k] += (from >> (8 * k) & 0xff) == mine ? p.v[k] : 0.0F;
      }
    }
  } else {
    g = unpack(raw.first);
    if (second != nullptr) {
      const Pack q = unpack(raw.second);
#pragma unroll
      for (int k = 0; k < 8; ++k) g.v[k] += q.v[k];
    }
    if constexpr (way == Way::signs) {
#pragma unroll
      for (int k = 0; k < 8; ++k) g.v[k] = (raw.signs >> k & 1) != 0 ? g.v[k] : 0.0F;
    }
  }
  if constexpr (way == Way::relu || way == Way::pooled) {
#pragma unroll
    for (int k = 0; k < 8; ++k) g.v[k] = x.v[k] * scale.v[k] + shift.v[k] > 0 ? g.v[k] : 0.0F;
  }
  return g;
}

template <class T, Way way>
__global__ void __launch_bounds__(threads, 1) back_sums(const T* x, NormBack back, std::int64_t rows, int channels,
                                                        int across, float* dscale, float* dshift, NormMemory memory) {
  const Place at(across, channels);
  Pack sum{}, products{};
  if (at.active) {
    const Pack mean = load_pack(memory.statistics + at.c);
    Pack scale{}, shift{};
    if constexpr (way == Way::relu || way == Way::pooled) {
      scale = load_pack(memory.statistics + 2 * channels + at.c);
      shift = load_pack(memory.statistics + 3 * channels + at.c);
    }
    auto* const kept = static_cast<T*>(back.sum);
    constexpr int deep = way == Way::pooled ? 1 : sizeof(T) == 4 ? 2 : 3;
    for (auto first = at.first; first < rows; first += deep * at.step) {
      RawBack<T> raw[deep];
#pragma unroll
      for (int d = 0; d < deep; ++d) {
        const auto row = first + d * at.step;
        if (row < rows) raw[d] = load_back<T, way>(x, back, row * channels + at.c);
      }
#pragma unroll
      for (int d = 0; d < deep; ++d) {
        const auto row = first + d * at.step;
        if (row >= rows) break;
        const Pack p = unpack(raw[d].x);
        const Pack g = incoming<T, way>(back, raw[d], p, row, at.c, channels, scale, shift);
        if (kept != nullptr) store_pack(kept + row * channels + at.c, g);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          sum.v[i] += g.v[i];
          products.v[i] += g.v[i] * (p.v[i] - mean.v[i]);
        }
      }
    }
  }
  float total[2];
  if (!sum_over_blocks(sum, products, across, memory.partial, memory.finished, total)) return;
  const int c = blockIdx.y * across * 8 + threadIdx.x;
  if (threadIdx.x >= across * 8 || c >= channels) return;
  const auto n = static_cast<float>(rows);
  const float inverse = memory.statistics[channels + c], scale = memory.statistics[2 * channels + c];
  const float slope = total[1] * inverse;
  dscale[c] = slope;
  dshift[c] = total[0];
  // dx = a·g + b·x + c
  const float b = -scale * inverse * slope / n;
  memory.statistics[4 * channels + c] = scale;
  memory.statistics[5 * channels + c] = b;
  memory.statistics[6 * channels + c] = -scale * total[0] / n - b * memory.statistics[c];
}

template <class T, Way way>
__global__ void __launch_bounds__(apply_threads, 2)
    back_apply(const T* x, NormBack back, T* dx, std::int64_t rows, int channels, int across, const float* statistics) {
  const Place at(across, channels);
  if (!at.active) return;
  const Pack a = load_pack(statistics + 4 * channels + at.c), b = load_pack(statistics + 5 * channels + at.c);
  const Pack c = load_pack(statistics + 6 * channels + at.c);
  Pack scale{}, shift{};
  if constexpr (way == Way::relu || way == Way::pooled) {
    scale = load_pack(statistics + 2 * channels + at.c);
    shift = load_pack(statistics + 3 * channels + at.c);
  }
  constexpr int deep = way == Way::pooled ? 1 : 2;
  for (auto first = at.first; first < rows; first += deep * at.step) {
    RawBack<T> raw[deep];
#pragma unroll
    for (int d = 0; d < deep; ++d) {
      const auto row = rows - 1 - first - d * at.step;
      if (row >= 0) raw[d] = load_back<T, way>(x, back, row * channels + at.c);
    }
#pragma unroll
    for (int d = 0; d < deep; ++d) {
      const auto row = rows - 1 - first - d * at.step;
      if (row < 0) break;
      const Pack p = unpack(raw[d].x);
      Pack g = incoming<T, way>(back, raw[d], p, row, at.c, channels, scale, shift);
#pragma unroll
      for (int i = 0; i < 8; ++i) g.v[i] = a.v[i] * g.v[i] + (b.v[i] * p.v[i] + c.v[i]);
      store_pack(dx + row * channels + at.c, g);
    }
  }
}

template <class T, Way way>
void enqueue_back(const NormShape& shape, const T* x, const NormBack& back, T* dx, float* dscale, float* dshift,
                  const NormMemory& memory, cudaStream_t stream) {
  const auto g = grid_of(shape.rows, shape.channels, threads, 1);
  const dim3 blocks(static_cast<unsigned int>(g.chunks), static_cast<unsigned int>(g.columns));
  back_sums<T, way>
      <<<blocks, threads, 0, stream>>>(x, back, shape.rows, shape.channels, g.across, dscale, dshift, memory);
  const auto h = grid_of(shape.rows, shape.channels, apply_threads, 6);
  const dim3 more(static_cast<unsigned int>(h.chunks), static_cast<unsigned int>(h.columns));
  if (back.sum != nullptr) {
    // What was added and masked once need not be so again.
    NormBack plain;
    plain.first = back.sum;
    back_apply<T, Way::plain>
        <<<more, apply_threads, 0, stream>>>(x, plain, dx, shape.rows, shape.channels, h.across, memory.statistics);
  } else {
    back_apply<T, way>
        <<<more, apply_threads, 0, stream>>>(x, back, dx, shape.rows, shape.channels, h.across, memory.statistics);
  }
}

}  // namespace

std::size_t norm_partial_floats(int channels) {
  // Of every block two sums of up to 256 channels; the blocks are as many as there are multiprocessors, or columns.
  const int columns = (channels + 255) / 256;
  return static_cast<std::size_t>(std::max(columns, multiprocessors())) * 2 * 256;
}

void norm_statistics(const NormShape& shape, const void* x, const float* scale, const float* shift, float* running,
                     const NormMemory& memory, cudaStream_t stream) {
  const auto g = grid_of(shape.rows, shape.channels, threads, 1);
  const dim3 blocks(static_cast<unsigned int>(g.chunks), static_cast<unsigned int>(g.columns));
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    statistics<<<blocks, threads, 0, stream>>>(static_cast<const T*>(x), shape.rows, shape.channels, g.across, scale,
                                               shift, running, memory);
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
  const auto blocks = static_cast<unsigned int>((count + threads - 1) / threads);
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    pool<<<blocks, threads, 0, stream>>>(static_cast<const T*>(x), static_cast<T*>(y), places, window, shape.channels,
                                         memory.statistics);
  });
}

void norm_back(const NormShape& shape, const void* x, const NormBack& back, void* dx, float* dscale, float* dshift,
               const NormMemory& memory, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    const auto call = [&](auto enqueue) {
      enqueue(shape, static_cast<const T*>(x), back, static_cast<T*>(dx), dscale, dshift, memory, stream);
    };
    switch (way_of(back)) {
      case Way::plain:
        return call(enqueue_back<T, Way::plain>);
      case Way::relu:
        return call(enqueue_back<T, Way::relu>);
      case Way::signs:
        return call(enqueue_back<T, Way::signs>);
      case Way::pooled:
        return call(enqueue_back<T, Way::pooled>);
    }
  });
}

}  // namespace rv::workers
