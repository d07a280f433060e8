#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// A convolution of images, channels innermost, of which only the first `used` channels are not zero, as a product: one
/// row of numbers for each position of the output, and for each filter.
struct PatchShape {
  int images, height, width, channels, used;
  int kernel, stride, padding;
  int out_height, out_width, filters;

  constexpr int numbers() const { return kernel * kernel * used; }
  /// The distance of rows: a multiple of four; the numbers are padded with zeros.
  constexpr int row() const { return (numbers() + 3) / 4 * 4; }
  constexpr std::int64_t positions() const { return std::int64_t{images} * out_height * out_width; }
};

/// Writes the input of each position of the output: positions × row.
void gather_patches(const PatchShape& shape, const float* images, float* to, cudaStream_t stream);
/// Copies filters, each kernel × kernel × channels, to filters × row.
void gather_filters(const PatchShape& shape, const float* weights, float* to, cudaStream_t stream);
/// Adds gradients, parts × filters × row, in the order of the parts, and writes them in the filters' layout.
void scatter_filters(const PatchShape& shape, int parts, const float* sums, float* slopes, cudaStream_t stream);

}  // namespace rv::workers
