#include "workers/devices/cuda_call.h"
#include "workers/devices/random_input.h"
#include "workers/training/gpu/pack.cuh"
#include "workers/training/gpu/row_kernels.h"
#include "workers/training/network/network.h"

namespace rv::workers {
namespace {

constexpr int threads = 256;

unsigned int blocks_for(std::int64_t count) {
  return static_cast<unsigned int>((count + threads - 1) / threads);
}

/// The same key as dropout_key's.
__device__ std::uint64_t key_of(const GpuDropout& dropout, const StepState* state) {
  return scramble(dropout.base ^ (dropout.layer << 40 ^ static_cast<std::uint64_t>(state->step)));
}

/// Bit i: element first + i is kept.
__device__ unsigned int kept_bits(std::uint64_t key, std::uint64_t first, std::uint32_t kept) {
  unsigned int bits = 0;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const auto random = dropout_bits(key, first + 4 * half);
#pragma unroll
    for (int i = 0; i < 4; ++i) bits |= ((random >> (16 * i) & 0xffff) < kept ? 1U : 0U) << (4 * half + i);
  }
  return bits;
}

__device__ float drop_scale(const GpuDropout& dropout) {
  return 65536.0F / static_cast<float>(dropout.kept);
}

__device__ float warp_sum(float x) {
#pragma unroll
  for (int i = 16; i > 0; i /= 2) x += __shfl_xor_sync(0xffffffffU, x, i);
  return x;
}
__device__ float warp_max(float x) {
#pragma unroll
  for (int i = 16; i > 0; i /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffU, x, i));
  return x;
}

/// Over the block, the same in every thread; whole warps.
template <bool maximum>
__device__ float block_fold(float x) {
  __shared__ float shared[33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  x = maximum ? warp_max(x) : warp_sum(x);
  if (lane == 0) shared[warp] = x;
  __syncthreads();
  if (warp == 0) {
    const float none = maximum ? -INFINITY : 0.0F;
    x = lane < warps ? shared[lane] : none;
    x = maximum ? warp_max(x) : warp_sum(x);
    if (lane == 0) shared[32] = x;
  }
  __syncthreads();
  x = shared[32];
  __syncthreads();
  return x;
}

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

template <class T>
__global__ void drop(const T* x, T* y, std::uint8_t* out_bits, std::int64_t packs, GpuDropout dropout,
                     const StepState* state) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs) return;
  Pack p = load_pack(x + 8 * i);
  const auto bits = kept_bits(key_of(dropout, state), 8 * i, dropout.kept);
  const float scale = drop_scale(dropout);
  unsigned int above = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    p.v[k] = (bits >> k & 1) != 0 ? p.v[k] * scale : 0.0F;
    above |= (p.v[k] > 0 ? 1U : 0U) << k;
  }
  store_pack(y + 8 * i, p);
  if (out_bits != nullptr) out_bits[i] = static_cast<std::uint8_t>(above);
}

template <class T>
__global__ void mask(const T* dy, const std::uint8_t* bits, float scale, T* dx, std::int64_t packs) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs) return;
  Pack p = load_pack(dy + 8 * i);
  const unsigned int set = bits[i];
#pragma unroll
  for (int k = 0; k < 8; ++k) p.v[k] = (set >> k & 1) != 0 ? p.v[k] * scale : 0.0F;
  store_pack(dx + 8 * i, p);
}

template <class T>
__global__ void embedded(EmbeddingShape shape, const int* tokens, const float* table, const float* positions,
                         GpuDropout dropout, const StepState* state, T* y) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const int groups = shape.width / 8;
  if (i >= shape.rows * groups) return;
  const auto row = i / groups;
  const int c = static_cast<int>(i % groups) * 8;
  const Pack entry = load_pack(table + static_cast<std::int64_t>(tokens[row]) * shape.width + c);
  Pack p = load_pack(positions + row % shape.sequence * shape.width + c);
  const float root = sqrtf(static_cast<float>(shape.width)), scale = drop_scale(dropout);
  const auto bits = kept_bits(key_of(dropout, state), 8 * i, dropout.kept);
#pragma unroll
  for (int k = 0; k < 8; ++k) p.v[k] = (bits >> k & 1) != 0 ? (entry.v[k] * root + p.v[k]) * scale : 0.0F;
  store_pack(y + 8 * i, p);
}

/// A block for each entry of the table looks through all tokens, in their order.
template <class T>
__global__ void embedded_back(EmbeddingShape shape, const int* tokens, const T* dy, GpuDropout dropout,
                              const StepState* state, float* dtable) {
  __shared__ int found[threads];
  __shared__ int counts[threads / 32];
  const int entry = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float factor = sqrtf(static_cast<float>(shape.width)) * drop_scale(dropout);
  const auto key = key_of(dropout, state);
  for (int c0 = 0; c0 < shape.width; c0 += 8 * threads) {
    const int c = c0 + threadIdx.x * 8;
    Pack sum{};
    for (std::int64_t base = 0; base < shape.rows; base += threads) {
      const auto row = base + threadIdx.x;
      const bool mine = row < shape.rows && tokens[row] == entry;
      const unsigned int votes = __ballot_sync(0xffffffffU, mine);
      if (lane == 0) counts[warp] = __popc(votes);
      if (__syncthreads_or(mine ? 1 : 0) == 0) continue;
      int before = __popc(votes & ((1U << lane) - 1)), all = 0;
      for (int w = 0; w < threads / 32; ++w) {
        if (w < warp) before += counts[w];
        all += counts[w];
      }
      if (mine) found[before] = threadIdx.x;
      __syncthreads();
      if (c < shape.width) {
        for (int k = 0; k < all; ++k) {
          const auto first = (base + found[k]) * shape.width + c;
          const Pack p = load_pack(dy + first);
          const auto bits = kept_bits(key, first, dropout.kept);
#pragma unroll
          for (int i = 0; i < 8; ++i) sum.v[i] += (bits >> i & 1) != 0 ? p.v[i] : 0.0F;
        }
      }
      __syncthreads();
    }
    if (c >= shape.width) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) sum.v[i] *= factor;
    store_pack(dtable + static_cast<std::int64_t>(entry) * shape.width + c, sum);
  }
}

template <class T>
__global__ void layer_norm(RowShape shape, T* x, const T* residual, const float* scale, const float* shift,
                           GpuDropout dropout, const StepState* state, T* y, float* saved) {
  const std::int64_t row = blockIdx.x;
  const int c = threadIdx.x * 8;
  const bool active = c < shape.width;
  const auto first = row * shape.width + c;
  Pack p{};
  float sum = 0;
  if (active) {
    p = load_pack(x + first);
    const Pack r = load_pack(residual + first);
    const float factor = drop_scale(dropout);
    const auto bits = kept_bits(key_of(dropout, state), first, dropout.kept);
#pragma unroll
    for (int i = 0; i < 8; ++i) p.v[i] = r.v[i] + ((bits >> i & 1) != 0 ? p.v[i] * factor : 0.0F);
    store_pack(x + first, p);
    // What was stored is what the backward pass will see.
    p = load_pack(x + first);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += p.v[i];
  }
  const float mean = block_fold<false>(sum) / static_cast<float>(shape.width);
  float squares = 0;
  if (active) {
#pragma unroll
    for (int i = 0; i < 8; ++i) squares += (p.v[i] - mean) * (p.v[i] - mean);
  }
  const float inverse = rsqrtf(block_fold<false>(squares) / static_cast<float>(shape.width) + 1e-5F);
  if (active) {
    const Pack a = load_pack(scale + c), b = load_pack(shift + c);
#pragma unroll
    for (int i = 0; i < 8; ++i) p.v[i] = (p.v[i] - mean) * inverse * a.v[i] + b.v[i];
    store_pack(y + first, p);
  }
  if (threadIdx.x == 0) {
    saved[2 * row] = mean;
    saved[2 * row + 1] = inverse;
  }
}

constexpr int norm_blocks = 1056;

template <class T>
__global__ void layer_norm_back(RowShape shape, const T* sum, const T* dy, const float* scale, const float* saved,
                                GpuDropout dropout, const StepState* state, T* dx, T* dresidual, float* partial) {
  const int c = threadIdx.x * 8;
  const bool active = c < shape.width;
  Pack a{}, dscale{}, dshift{};
  if (active) a = load_pack(scale + c);
  const auto key = key_of(dropout, state);
  const float factor = drop_scale(dropout);
  for (std::int64_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
    const auto first = row * shape.width + c;
    const float mean = saved[2 * row], inverse = saved[2 * row + 1];
    Pack x{}, g{};
    float slopes = 0, products = 0;
    if (active) {
      x = load_pack(sum + first);
      g = load_pack(dy + first);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        x.v[i] = (x.v[i] - mean) * inverse;
        dscale.v[i] += g.v[i] * x.v[i];
        dshift.v[i] += g.v[i];
        g.v[i] *= a.v[i];
        slopes += g.v[i];
        products += g.v[i] * x.v[i];
      }
    }
    slopes = block_fold<false>(slopes) / static_cast<float>(shape.width);
    products = block_fold<false>(products) / static_cast<float>(shape.width);
    if (!active) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) g.v[i] = inverse * (g.v[i] - slopes - x.v[i] * products);
    store_pack(dresidual + first, g);
    const auto bits = kept_bits(key, first, dropout.kept);
#pragma unroll
    for (int i = 0; i < 8; ++i) g.v[i] = (bits >> i & 1) != 0 ? g.v[i] * factor : 0.0F;
    store_pack(dx + first, g);
  }
  if (!active) return;
  store_pack(partial + static_cast<std::int64_t>(blockIdx.x) * 2 * shape.width + c, dscale);
  store_pack(partial + static_cast<std::int64_t>(blockIdx.x) * 2 * shape.width + shape.width + c, dshift);
}

/// 32 columns a block, eight threads below each other for each.
__global__ void fold_columns(const float* partial, int parts, int width, float* first, float* second) {
  __shared__ float shared[8][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < 2 * width) {
#pragma unroll 8
    for (int k = threadIdx.y; k < parts; k += 8) sum += partial[static_cast<std::int64_t>(k) * 2 * width + column];
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= 2 * width) return;
  for (int k = 1; k < 8; ++k) sum += shared[k][threadIdx.x];
  (column < width ? first : second)[column % width] = sum;
}

template <class T>
__global__ void entropy(RowShape shape, T* scores, const int* labels, float share, const StepState* state,
                        float* losses) {
  const std::int64_t row = blockIdx.x;
  T* const own = scores + row * shape.width;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) most = fmaxf(most, to_float(own[c]));
  most = block_fold<true>(most);
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) sum += __expf(to_float(own[c]) - most);
  sum = block_fold<false>(sum);
  const int label = labels[row];
  // Of several highest the first, as others choose; none of numbers that are none.
  float first = -INFINITY;
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) {
    if (to_float(own[c]) == most) first = fmaxf(first, -static_cast<float>(c));
  }
  first = block_fold<true>(first);
  if (threadIdx.x == 0) {
    losses[row] = logf(sum) + most - to_float(own[label]);
    losses[shape.rows + row] = first == -static_cast<float>(label) ? 1.0F : 0.0F;
  }
  __syncthreads();
  const float scale = share * state->loss_scale;
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) {
    const float part = __expf(to_float(own[c]) - most) / sum;
    own[c] = from_float<T>(scale * (part - (c == label ? 1.0F : 0.0F)));
  }
}

__global__ void mean(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity) {
  float sum = 0, right = 0;
  for (std::int64_t i = threadIdx.x; i < rows; i += blockDim.x) {
    sum += losses[i];
    right += losses[rows + i];
  }
  sum = block_fold<false>(sum);
  right = block_fold<false>(right);
  if (threadIdx.x != 0) return;
  const auto at = (state->step - 1) % capacity;
  history[at] = sum / static_cast<float>(rows);
  history[capacity + at] = right / static_cast<float>(rows);
}

template <class T>
__global__ void pool_mean(const T* x, T* y, int n, int places, int channels) {
  const int groups = channels / 8;
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n * groups) return;
  const int c = i % groups * 8;
  const std::int64_t base = static_cast<std::int64_t>(i / groups) * places;
  Pack sum{};
#pragma unroll 4
  for (int p = 0; p < places; ++p) {
    const Pack q = load_pack(x + (base + p) * channels + c);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum.v[k] += q.v[k];
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) sum.v[k] /= static_cast<float>(places);
  store_pack(y + static_cast<std::int64_t>(i) * 8, sum);
}

template <class T>
__global__ void pool_mean_back(const T* dy, T* dx, std::int64_t packs, int places, int channels) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs) return;
  const int groups = channels / 8;
  const auto row = i / groups;
  Pack p = load_pack(dy + row / places * channels + i % groups * 8);
#pragma unroll
  for (int k = 0; k < 8; ++k) p.v[k] /= static_cast<float>(places);
  store_pack(dx + 8 * i, p);
}

/// 32 columns a block, 32 threads below each other for each.
template <class T>
__global__ void sum_columns(RowShape shape, const T* x, float* sums) {
  __shared__ float shared[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < shape.width) {
#pragma unroll 8
    for (std::int64_t row = threadIdx.y; row < shape.rows; row += 32) sum += to_float(x[row * shape.width + column]);
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= shape.width) return;
  for (int k = 1; k < 32; ++k) sum += shared[k][threadIdx.x];
  sums[column] = sum;
}

/// A block for each row.
template <class T>
__global__ void softmax(SoftmaxShape shape, const T* scores, T* weights, T* dropped, GpuDropout dropout,
                        const StepState* state) {
  const std::int64_t row = blockIdx.x;
  const int last = static_cast<int>(row % shape.length);
  const auto first = row * shape.stride;
  float most = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j <= last; j += blockDim.x) most = fmaxf(most, to_float(scores[first + j]));
  most = block_fold<true>(most);
  for (int j = threadIdx.x; j <= last; j += blockDim.x) sum += expf(to_float(scores[first + j]) - most);
  sum = block_fold<false>(sum);
  const auto key = key_of(dropout, state);
  const float scale = drop_scale(dropout);
  for (int j = threadIdx.x; j < shape.stride; j += blockDim.x) {
    const float weight = j <= last ? expf(to_float(scores[first + j]) - most) / sum : 0.0F;
    const auto index = static_cast<std::uint64_t>(row) * shape.length + j;
    const bool kept = dropout_keeps(dropout_bits(key, index), index, dropout.kept);
    weights[first + j] = from_float<T>(weight);
    dropped[first + j] = from_float<T>(kept ? weight * scale : 0.0F);
  }
}

template <class T>
__global__ void softmax_back(SoftmaxShape shape, const T* weights, T* back, T* dropped, GpuDropout dropout,
                             const StepState* state, float factor) {
  const std::int64_t row = blockIdx.x;
  const int last = static_cast<int>(row % shape.length);
  const auto first = row * shape.stride;
  const auto key = key_of(dropout, state);
  const float scale = drop_scale(dropout);
  const auto slope = [&](int j) {
    const auto index = static_cast<std::uint64_t>(row) * shape.length + j;
    return dropout_keeps(dropout_bits(key, index), index, dropout.kept) ? to_float(back[first + j]) * scale : 0.0F;
  };
  float sum = 0;
  for (int j = threadIdx.x; j <= last; j += blockDim.x) sum += to_float(weights[first + j]) * slope(j);
  sum = block_fold<false>(sum);
  for (int j = threadIdx.x; j < shape.stride; j += blockDim.x) {
    const float weight = to_float(weights[first + j]);
    const auto index = static_cast<std::uint64_t>(row) * shape.length + j;
    const bool kept = dropout_keeps(dropout_bits(key, index), index, dropout.kept);
    const float score = j <= last ? weight * (slope(j) - sum) * factor : 0.0F;
    dropped[first + j] = from_float<T>(kept ? weight * scale : 0.0F);
    back[first + j] = from_float<T>(score);
  }
}

unsigned int row_threads(int width) {
  return static_cast<unsigned int>((width / 8 + 31) / 32 * 32);
}

}  // namespace

void begin_step(StepState* state, std::uint64_t base, long long* seeds, int count, cudaStream_t stream) {
  begin<<<1, 32, 0, stream>>>(state, base, seeds, count);
}

void drop_rows(GpuType type, std::int64_t count, const GpuDropout& dropout, const StepState* state, const void* x,
               void* y, std::uint8_t* bits, cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    drop<<<blocks_for(count / 8), threads, 0, stream>>>(static_cast<const T*>(x), static_cast<T*>(y), bits, count / 8,
                                                        dropout, state);
  });
}

void mask_rows(GpuType type, std::int64_t count, const void* dy, const std::uint8_t* bits, float scale, void* dx,
               cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    mask<<<blocks_for(count / 8), threads, 0, stream>>>(static_cast<const T*>(dy), bits, scale, static_cast<T*>(dx),
                                                        count / 8);
  });
}

void embed(const EmbeddingShape& shape, const int* tokens, const float* table, const float* positions,
           const GpuDropout& dropout, const StepState* state, void* y, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    embedded<<<blocks_for(shape.rows * shape.width / 8), threads, 0, stream>>>(shape, tokens, table, positions, dropout,
                                                                               state, static_cast<T*>(y));
  });
}

void embed_back(const EmbeddingShape& shape, const int* tokens, const void* dy, const GpuDropout& dropout,
                const StepState* state, float* dtable, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    embedded_back<<<static_cast<unsigned int>(shape.vocabulary), threads, 0, stream>>>(
        shape, tokens, static_cast<const T*>(dy), dropout, state, dtable);
  });
}

void add_layer_norm(const RowShape& shape, void* x, const void* residual, const float* scale, const float* shift,
                    const GpuDropout& dropout, const StepState* state, void* y, float* saved, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    layer_norm<<<static_cast<unsigned int>(shape.rows), row_threads(shape.width), 0, stream>>>(
        shape, static_cast<T*>(x), static_cast<const T*>(residual), scale, shift, dropout, state, static_cast<T*>(y),
        saved);
  });
}

std::size_t layer_norm_partial_floats(int width) {
  return static_cast<std::size_t>(norm_blocks) * 2 * static_cast<std::size_t>(width);
}

void add_layer_norm_back(const RowShape& shape, const void* sum, const void* dy, const float* scale, const float* saved,
                         const GpuDropout& dropout, const StepState* state, void* dx, void* dresidual, float* dscale,
                         float* dshift, float* partial, cudaStream_t stream) {
  const auto blocks = static_cast<int>(shape.rows < norm_blocks ? shape.rows : norm_blocks);
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    layer_norm_back<<<static_cast<unsigned int>(blocks), row_threads(shape.width), 0, stream>>>(
        shape, static_cast<const T*>(sum), static_cast<const T*>(dy), scale, saved, dropout, state, static_cast<T*>(dx),
        static_cast<T*>(dresidual), partial);
  });
  fold_columns<<<static_cast<unsigned int>((2 * shape.width + 31) / 32), dim3(32, 8), 0, stream>>>(
      partial, blocks, shape.width, dscale, dshift);
}

void cross_entropy(const RowShape& shape, void* scores, const int* labels, float share, const StepState* state,
                   float* losses, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    entropy<<<static_cast<unsigned int>(shape.rows), threads, 0, stream>>>(shape, static_cast<T*>(scores), labels,
                                                                           share, state, losses);
  });
}

void mean_loss(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity,
               cudaStream_t stream) {
  mean<<<1, 1024, 0, stream>>>(losses, rows, state, history, capacity);
}

void mean_pool(GpuType type, int n, int places, int channels, const void* x, void* y, cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    pool_mean<<<blocks_for(n * (channels / 8)), threads, 0, stream>>>(static_cast<const T*>(x), static_cast<T*>(y), n,
                                                                      places, channels);
  });
}

void mean_pool_back(GpuType type, int n, int places, int channels, const void* dy, void* dx, cudaStream_t stream) {
  const auto packs = static_cast<std::int64_t>(n) * places * (channels / 8);
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    pool_mean_back<<<blocks_for(packs), threads, 0, stream>>>(static_cast<const T*>(dy), static_cast<T*>(dx), packs,
                                                              places, channels);
  });
}

void column_sums(const RowShape& shape, const void* x, float* sums, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    sum_columns<<<static_cast<unsigned int>((shape.width + 31) / 32), dim3(32, 32), 0, stream>>>(
        shape, static_cast<const T*>(x), sums);
  });
}

void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    softmax<<<static_cast<unsigned int>(shape.matrices * shape.length), 128, 0, stream>>>(
        shape, static_cast<const T*>(scores), static_cast<T*>(weights), static_cast<T*>(dropped), dropout, state);
  });
}

void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    softmax_back<<<static_cast<unsigned int>(shape.matrices * shape.length), 128, 0, stream>>>(
        shape, static_cast<const T*>(weights), static_cast<T*>(back), static_cast<T*>(dropped), dropout, state, scale);
  });
}

}  // namespace rv::workers
