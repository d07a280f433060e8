#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// A convolution in fp32 without groups and dilation, channels innermost: x is images × in_height × in_width ×
/// in_channels, w out_channels × kernel × kernel × in_channels, y images × out_height × out_width × out_channels.
struct ConvolutionShape {
  int images, in_height, in_width, in_channels;
  int out_height, out_width, out_channels;
  int kernel, stride, padding;

  constexpr std::int64_t x_count() const { return std::int64_t{images} * in_height * in_width * in_channels; }
  constexpr std::int64_t w_count() const { return std::int64_t{out_channels} * kernel * kernel * in_channels; }
  constexpr std::int64_t y_count() const { return std::int64_t{images} * out_height * out_width * out_channels; }
};

/// What is computed from the other two: y, the gradient of x, or the gradient of w.
enum class ConvolutionResult { y, x, w };

/// Numbers between -1 and 1 that depend on the seed alone. Of each `channels` elements those from `filled` on are zero.
void fill_random(float* to, std::int64_t count, int channels, int filled, std::uint64_t seed, cudaStream_t stream);

/// `samples` elements of the result, at places spread over it, computed in fp64.
void exact_samples(const ConvolutionShape& shape, ConvolutionResult result, const float* x, const float* w,
                   const float* y, int samples, double* to, cudaStream_t stream);
/// The same elements as they were computed: `from` has `count` of them.
void take_samples(const float* from, std::int64_t count, int samples, float* to, cudaStream_t stream);

}  // namespace rv::workers
