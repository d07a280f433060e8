#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/convolution/patch_kernels.h"

namespace rv::workers {
namespace {

/// One thread for four numbers of a row.
__global__ void __launch_bounds__(threads) patches_kernel(PatchShape s, const float* images, float* to) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const int fours = s.row() / 4, line = s.kernel * s.used;
  const auto position = i / fours;
  if (position >= s.positions()) return;
  const int first = static_cast<int>(i % fours) * 4;
  const auto in_image = static_cast<int>(position % (s.out_height * s.out_width));
  const int y = in_image / s.out_width * s.stride - s.padding, x = in_image % s.out_width * s.stride - s.padding;
  images += position / (s.out_height * s.out_width) * s.height * s.width * s.channels;
  float made[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int number = first + k, down = y + number / line, right = x + number % line / s.used;
    const bool inside = number < s.numbers() && down >= 0 && down < s.height && right >= 0 && right < s.width;
    made[k] = inside ? images[(std::int64_t{down} * s.width + right) * s.channels + number % s.used] : 0.0F;
  }
  reinterpret_cast<float4*>(to)[i] = {made[0], made[1], made[2], made[3]};
}

__global__ void filters_kernel(PatchShape s, const float* weights, float* to) {
  const auto i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (i >= s.filters * s.row()) return;
  const int filter = i / s.row(), number = i % s.row();
  to[i] = number < s.numbers()
              ? weights[(filter * s.kernel * s.kernel + number / s.used) * s.channels + number % s.used]
              : 0.0F;
}

__global__ void filters_back_kernel(PatchShape s, int parts, const float* sums, float* slopes) {
  const auto i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  const int weights = s.kernel * s.kernel * s.channels;
  if (i >= s.filters * weights) return;
  const int filter = i / weights, channel = i % s.channels;
  float sum = 0;
  if (channel < s.used) {
    const int number = i % weights / s.channels * s.used + channel;
    for (int part = 0; part < parts; ++part) {
      sum += sums[(std::int64_t{part} * s.filters + filter) * s.row() + number];
    }
  }
  slopes[i] = sum;
}

}  // namespace

void gather_patches(const PatchShape& shape, const float* images, float* to, cudaStream_t stream) {
  patches_kernel<<<blocks_for(shape.positions() * (shape.row() / 4)), threads, 0, stream>>>(shape, images, to);
}

void gather_filters(const PatchShape& shape, const float* weights, float* to, cudaStream_t stream) {
  filters_kernel<<<blocks_for(std::int64_t{shape.filters} * shape.row()), threads, 0, stream>>>(shape, weights, to);
}

void scatter_filters(const PatchShape& shape, int parts, const float* sums, float* slopes, cudaStream_t stream) {
  const auto count = std::int64_t{shape.filters} * shape.kernel * shape.kernel * shape.channels;
  filters_back_kernel<<<blocks_for(count), threads, 0, stream>>>(shape, parts, sums, slopes);
}

}  // namespace rv::workers
