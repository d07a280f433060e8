#include "workers/training/gpu/kernels/block_fold.cuh"
#include "workers/training/gpu/kernels/fold_columns.cuh"
#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/gpu/kernels/layer_norm_kernels.h"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {
namespace {

template <class T>
__global__ void layer_norm(RowShape shape, T* x, const T* residual, const float* scale, const float* shift,
                           GpuDropout dropout, const StepState* state, T* y, float* saved) {
  __shared__ float room[2][32];
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
    // Uses the stored (rounded) values, which the backward pass reads.
    p = load_pack(x + first);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += p.v[i];
  }
  const float mean = block_sum(sum, room[0]) / static_cast<float>(shape.width);
  float squares = 0;
  if (active) {
#pragma unroll
    for (int i = 0; i < 8; ++i) squares += (p.v[i] - mean) * (p.v[i] - mean);
  }
  const float inverse = rsqrtf(block_sum(squares, room[1]) / static_cast<float>(shape.width) + 1e-5F);
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

/// Six for each of an H100's 132 multiprocessors: the number that are resident at once.
constexpr int norm_blocks = 792;

template <class T>
__global__ void layer_norm_back(RowShape shape, const T* sum, const T* dy, const float* scale, const float* saved,
                                GpuDropout dropout, const StepState* state, T* dx, T* dresidual, float* partial) {
  const int c = threadIdx.x * 8;
  const bool active = c < shape.width;
  __shared__ float room[2][2][32];
  int turn = 0;
  Pack a{}, dscale{}, dshift{}, dsum{};
  if (active) a = load_pack(scale + c);
  const auto key = key_of(dropout, state);
  const float factor = drop_scale(dropout);
  // Loads one row ahead, while the block sums over the last one.
  RawPack<T> next_x{}, next_g{};
  const auto load = [&](std::int64_t row) {
    if (!active || row >= shape.rows) return;
    next_x = load_raw(sum + row * shape.width + c);
    next_g = load_raw(dy + row * shape.width + c);
  };
  load(blockIdx.x);
  for (std::int64_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
    const auto first = row * shape.width + c;
    const float mean = saved[2 * row], inverse = saved[2 * row + 1];
    Pack x{}, g{};
    float slopes = 0, products = 0;
    if (active) {
      x = unpack(next_x);
      g = unpack(next_g);
      load(row + gridDim.x);
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
    block_sums(slopes, products, room[turn]);
    slopes /= static_cast<float>(shape.width);
    products /= static_cast<float>(shape.width);
    turn = 1 - turn;
    if (!active) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) g.v[i] = inverse * (g.v[i] - slopes - x.v[i] * products);
    store_pack(dresidual + first, g);
    const auto bits = kept_bits(key, first, dropout.kept);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      g.v[i] = (bits >> i & 1) != 0 ? g.v[i] * factor : 0.0F;
      dsum.v[i] += g.v[i];
    }
    store_pack(dx + first, g);
  }
  if (!active) return;
  float* const own = partial + static_cast<std::int64_t>(blockIdx.x) * 3 * shape.width + c;
  store_pack(own, dscale);
  store_pack(own + shape.width, dshift);
  store_pack(own + 2 * shape.width, dsum);
}

unsigned int row_threads(int width) {
  return static_cast<unsigned int>((width / 8 + 31) / 32 * 32);
}

}  // namespace

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
  return static_cast<std::size_t>(norm_blocks) * 3 * static_cast<std::size_t>(width);
}

void add_layer_norm_back(const RowShape& shape, const void* sum, const void* dy, const float* scale, const float* saved,
                         const GpuDropout& dropout, const StepState* state, void* dx, void* dresidual, float* dscale,
                         float* dshift, float* dsum, float* partial, cudaStream_t stream) {
  const auto blocks = static_cast<int>(shape.rows < norm_blocks ? shape.rows : norm_blocks);
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    layer_norm_back<<<static_cast<unsigned int>(blocks), row_threads(shape.width), 0, stream>>>(
        shape, static_cast<const T*>(sum), static_cast<const T*>(dy), scale, saved, dropout, state, static_cast<T*>(dx),
        static_cast<T*>(dresidual), partial);
  });
  enqueue_fold<3>({partial, blocks, shape.width, {dscale, dshift, dsum}}, stream);
}

}  // namespace rv::workers
