#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/convolution/winograd_kernels.h"
#include "workers/training/gpu/kernels/convolution/winograd_transforms.h"

namespace rv::workers {
namespace {

/// Four adjacent channels.
struct Four {
  float x = 0, y = 0, z = 0, w = 0;
};
constexpr Four operator+(const Four& a, const Four& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
constexpr Four operator-(const Four& a, const Four& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}

__device__ Four load(const float* from) {
  const auto v = *reinterpret_cast<const float4*>(from);
  return {v.x, v.y, v.z, v.w};
}
__device__ void store(float* to, const Four& v) {
  *reinterpret_cast<float4*>(to) = {v.x, v.y, v.z, v.w};
}

/// One thread for four channels of a patch; neighbours have the next channels.
struct Place {
  __device__ explicit Place(const WinogradImages& s) {
    const int fours = s.channels / 4, across = (s.width + 1) / 2, down = (s.height + 1) / 2;
    const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
    patch = i / fours;
    there = patch < std::int64_t{s.images} * down * across;
    channel = static_cast<int>(i % fours) * 4;
    const auto in_image = static_cast<int>(patch % (down * across));
    image = patch / (down * across);
    y = in_image / across * 2;
    x = in_image % across * 2;
  }
  /// The index of a pixel's four channels in the images.
  __device__ std::int64_t pixel(const WinogradImages& s, int down, int right) const {
    return ((image * s.height + y + down) * s.width + x + right) * s.channels + channel;
  }
  __device__ bool inside(const WinogradImages& s, int down, int right) const {
    return y + down >= 0 && y + down < s.height && x + right >= 0 && x + right < s.width;
  }

  bool there;
  std::int64_t patch, image;
  int channel, y, x;  ///< position of the upper left pixel
};

/// Writes the transformed patch's numbers, one per matrix.
__device__ void spread(const WinogradImages& s, const Place& place, const Four (&from)[4][4], float* to) {
  const auto matrix = s.patches() * s.channels;
  to += place.patch * s.channels + place.channel;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) store(to + (4 * i + j) * matrix, from[i][j]);
  }
}

__global__ void __launch_bounds__(threads) input_kernel(WinogradImages s, const float* images, float* to) {
  const Place place(s);
  if (!place.there) return;
  Four patch[4][4], made[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      patch[i][j] = place.inside(s, i - 1, j - 1) ? load(images + place.pixel(s, i - 1, j - 1)) : Four{};
    }
  }
  winograd::input(patch, made);
  spread(s, place, made, to);
}

__global__ void __launch_bounds__(threads) output_back_kernel(WinogradImages s, const float* slopes, float* to) {
  const Place place(s);
  if (!place.there) return;
  Four patch[2][2], made[4][4];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      patch[i][j] = place.inside(s, i, j) ? load(slopes + place.pixel(s, i, j)) : Four{};
    }
  }
  winograd::output_back(patch, made);
  spread(s, place, made, to);
}

__global__ void __launch_bounds__(threads) output_kernel(WinogradImages s, const float* products, float* images) {
  const Place place(s);
  if (!place.there) return;
  const auto matrix = s.patches() * s.channels;
  products += place.patch * s.channels + place.channel;
  Four points[4][4], made[2][2];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) points[i][j] = load(products + (4 * i + j) * matrix);
  }
  winograd::output(points, made);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      if (place.inside(s, i, j)) store(images + place.pixel(s, i, j), made[i][j]);
    }
  }
}

/// Filters: one thread for one input channel of an output channel; the next weight of the same channel is `in` further
/// on.
__global__ void winograd_filters_kernel(int out, int in, bool turned, const float* weights, float* to) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const auto matrix = std::int64_t{out} * in;
  if (i >= matrix) return;
  weights += i / in * 9 * in + i % in;
  float filter[3][3], made[4][4];
#pragma unroll
  for (int k = 0; k < 9; ++k) filter[k / 3][k % 3] = weights[std::int64_t{turned ? 8 - k : k} * in];
  winograd::filter(filter, made);
#pragma unroll
  for (int k = 0; k < winograd_points; ++k) to[k * matrix + i] = made[k / 4][k % 4];
}

__global__ void winograd_filters_back_kernel(int out, int in, int parts, const float* sums, float* slopes) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const auto matrix = std::int64_t{out} * in;
  if (i >= matrix) return;
  float whole[4][4], made[3][3];
#pragma unroll
  for (int k = 0; k < winograd_points; ++k) {
    float sum = 0;
    for (int part = 0; part < parts; ++part) sum += sums[(std::int64_t{k} * parts + part) * matrix + i];
    whole[k / 4][k % 4] = sum;
  }
  winograd::filter_back(whole, made);
  slopes += i / in * 9 * in + i % in;
#pragma unroll
  for (int k = 0; k < 9; ++k) slopes[std::int64_t{k} * in] = made[k / 3][k % 3];
}

unsigned int blocks_of(const WinogradImages& s) {
  return blocks_for(s.patches() * (s.channels / 4));
}

}  // namespace

void winograd_input(const WinogradImages& shape, const float* images, float* to, cudaStream_t stream) {
  input_kernel<<<blocks_of(shape), threads, 0, stream>>>(shape, images, to);
}

void winograd_output(const WinogradImages& shape, const float* products, float* images, cudaStream_t stream) {
  output_kernel<<<blocks_of(shape), threads, 0, stream>>>(shape, products, images);
}

void winograd_output_back(const WinogradImages& shape, const float* slopes, float* to, cudaStream_t stream) {
  output_back_kernel<<<blocks_of(shape), threads, 0, stream>>>(shape, slopes, to);
}

void winograd_filters(int out, int in, bool turned, const float* weights, float* to, cudaStream_t stream) {
  winograd_filters_kernel<<<blocks_for(std::int64_t{out} * in), threads, 0, stream>>>(out, in, turned, weights, to);
}

void winograd_filters_back(int out, int in, int parts, const float* sums, float* slopes, cudaStream_t stream) {
  winograd_filters_back_kernel<<<blocks_for(std::int64_t{out} * in), threads, 0, stream>>>(out, in, parts, sums,
                                                                                           slopes);
}

}  // namespace rv::workers
