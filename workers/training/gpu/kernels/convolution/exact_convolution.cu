#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/convolution/exact_convolution.h"

namespace rv::workers {
namespace {

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
__device__ std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

__device__ std::int64_t place_of(int sample, std::int64_t count) {
  return static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(sample)) % static_cast<std::uint64_t>(count));
}

__global__ void fill(float* to, std::int64_t count, int channels, int filled, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  constexpr float step = 1.0F / (1 << 23);
  const auto bits = static_cast<int>(mixed(seed + static_cast<std::uint64_t>(i)) >> 40);
  to[i] = i % channels < filled ? static_cast<float>(bits - (1 << 23)) * step : 0.0F;
}

__global__ void take(const float* from, std::int64_t count, int samples, float* to) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < samples) to[i] = from[place_of(i, count)];
}

struct Operands {
  const float *x, *w, *y;
};

__device__ double x_at(const ConvolutionShape& s, const float* x, std::int64_t image, int row, int column,
                       int channel) {
  if (row < 0 || row >= s.in_height || column < 0 || column >= s.in_width) return 0;
  return x[((image * s.in_height + row) * s.in_width + column) * s.in_channels + channel];
}

__device__ double w_at(const ConvolutionShape& s, const float* w, int out, int row, int column, int in) {
  return w[((std::int64_t{out} * s.kernel + row) * s.kernel + column) * s.in_channels + in];
}

__device__ double y_at(const ConvolutionShape& s, const float* y, std::int64_t image, int row, int column,
                       int channel) {
  return y[((image * s.out_height + row) * s.out_width + column) * s.out_channels + channel];
}

/// One product of the sum for y at this position.
__device__ double term_of_y(const ConvolutionShape& s, const Operands& at, std::int64_t place, std::int64_t term) {
  const int out = static_cast<int>(place % s.out_channels);
  place /= s.out_channels;
  const int column = static_cast<int>(place % s.out_width);
  place /= s.out_width;
  const int row = static_cast<int>(place % s.out_height);
  const int in = static_cast<int>(term % s.in_channels);
  const int tap = static_cast<int>(term / s.in_channels);
  const int down = tap / s.kernel, right = tap % s.kernel;
  return x_at(s, at.x, place / s.out_height, row * s.stride - s.padding + down, column * s.stride - s.padding + right,
              in) *
         w_at(s, at.w, out, down, right, in);
}

__device__ double term_of_x(const ConvolutionShape& s, const Operands& at, std::int64_t place, std::int64_t term) {
  const int in = static_cast<int>(place % s.in_channels);
  place /= s.in_channels;
  const int column = static_cast<int>(place % s.in_width);
  place /= s.in_width;
  const int row = static_cast<int>(place % s.in_height);
  const int out = static_cast<int>(term % s.out_channels);
  const int tap = static_cast<int>(term / s.out_channels);
  const int down = tap / s.kernel, right = tap % s.kernel;
  const int above = row + s.padding - down, left = column + s.padding - right;
  if (above < 0 || left < 0 || above % s.stride != 0 || left % s.stride != 0) return 0;
  if (above / s.stride >= s.out_height || left / s.stride >= s.out_width) return 0;
  return y_at(s, at.y, place / s.in_height, above / s.stride, left / s.stride, out) *
         w_at(s, at.w, out, down, right, in);
}

__device__ double term_of_w(const ConvolutionShape& s, const Operands& at, std::int64_t place, std::int64_t term) {
  const int in = static_cast<int>(place % s.in_channels);
  place /= s.in_channels;
  const int right = static_cast<int>(place % s.kernel);
  place /= s.kernel;
  const int down = static_cast<int>(place % s.kernel), out = static_cast<int>(place / s.kernel);
  const int column = static_cast<int>(term % s.out_width);
  term /= s.out_width;
  const int row = static_cast<int>(term % s.out_height);
  const auto image = term / s.out_height;
  return x_at(s, at.x, image, row * s.stride - s.padding + down, column * s.stride - s.padding + right, in) *
         y_at(s, at.y, image, row, column, out);
}

/// One block per sample.
template <class Term>
__device__ void sum_terms(std::int64_t terms, double* to, Term term) {
  __shared__ double sums[threads];
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < terms; i += threads) sum += term(i);
  sums[threadIdx.x] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *to = sums[0];
}

__global__ void exact(ConvolutionShape s, ConvolutionResult result, Operands at, double* to) {
  const auto sample = static_cast<int>(blockIdx.x);
  const auto taps = std::int64_t{s.kernel} * s.kernel;
  if (result == ConvolutionResult::y) {
    const auto place = place_of(sample, s.y_count());
    sum_terms(taps * s.in_channels, to + sample, [&](std::int64_t i) { return term_of_y(s, at, place, i); });
  } else if (result == ConvolutionResult::x) {
    const auto place = place_of(sample, s.x_count());
    sum_terms(taps * s.out_channels, to + sample, [&](std::int64_t i) { return term_of_x(s, at, place, i); });
  } else {
    const auto place = place_of(sample, s.w_count());
    sum_terms(s.y_count() / s.out_channels, to + sample, [&](std::int64_t i) { return term_of_w(s, at, place, i); });
  }
}

}  // namespace

void fill_random(float* to, std::int64_t count, int channels, int filled, std::uint64_t seed, cudaStream_t stream) {
  fill<<<blocks_for(count), threads, 0, stream>>>(to, count, channels, filled, seed);
}

void exact_samples(const ConvolutionShape& shape, ConvolutionResult result, const float* x, const float* w,
                   const float* y, int samples, double* to, cudaStream_t stream) {
  exact<<<static_cast<unsigned int>(samples), threads, 0, stream>>>(shape, result, {x, w, y}, to);
}

void take_samples(const float* from, std::int64_t count, int samples, float* to, cudaStream_t stream) {
  take<<<blocks_for(samples), threads, 0, stream>>>(from, count, samples, to);
}

}  // namespace rv::workers
