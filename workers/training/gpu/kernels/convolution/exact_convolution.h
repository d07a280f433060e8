#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// A convolution in fp32 without groups and dilation, channels innermost: x is images × in_height × in_width ×
/// in_channels, w is out_channels × kernel × kernel × in_channels, y is images × out_height × out_width × out_channels.
struct ConvolutionShape {
  int images, in_height, in_width, in_channels;
  int out_height, out_width, out_channels;
  int kernel, stride, padding;

  constexpr std::int64_t x_count() const { return std::int64_t{images} * in_height * in_width * in_channels; }
  constexpr std::int64_t w_count() const { return std::int64_t{out_channels} * kernel * kernel * in_channels; }
  constexpr std::int64_t y_count() const { return std::int64_t{images} * out_height * out_width * out_channels; }
};

/// The tensor that is computed from the other two: y, the gradient of x, or the gradient of w.
enum class ConvolutionResult { y, x, w };

/// Random numbers between -1 and 1, determined by the seed. Of each `channels` elements, those from `filled` on are
/// zero.
void fill_random(float* to, std::int64_t count, int channels, int filled, std::uint64_t seed, cudaStream_t stream);

/// Computes `samples` elements of the result in fp64, at positions spread over it.
void exact_samples(const ConvolutionShape& shape, ConvolutionResult result, const float* x, const float* w,
                   const float* y, int samples, double* to, cudaStream_t stream);
/// Copies the same elements of a computed result: `from` has `count` elements.
void take_samples(const float* from, std::int64_t count, int samples, float* to, cudaStream_t stream);

}  // namespace rv::workers
