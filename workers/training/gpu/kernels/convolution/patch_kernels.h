#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// A convolution of images, channels innermost, of whose channels only the first `used` are not zero: one row of
/// numbers for each position of the output, and for each filter.
struct PatchShape {
  int images, height, width, channels, used;
  int kernel, stride, padding;
  int out_height, out_width, filters;

  constexpr int numbers() const { return kernel * kernel * used; }
  /// From one row to the next: a multiple of four, zeros behind the numbers.
  constexpr int row() const { return (numbers() + 3) / 4 * 4; }
  constexpr std::int64_t positions() const { return std::int64_t{images} * out_height * out_width; }
};

/// What each position of the output is made of: positions × row.
void gather_patches(const PatchShape& shape, const float* images, float* to, cudaStream_t stream);
/// Filters, each kernel × kernel × channels, to filters × row.
void gather_filters(const PatchShape& shape, const float* weights, float* to, cudaStream_t stream);
/// Gradients, parts × filters × row, to filters as they lie; the parts are added up in their order.
void scatter_filters(const PatchShape& shape, int parts, const float* sums, float* slopes, cudaStream_t stream);

}  // namespace rv::workers
