#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// Images with channels innermost, as adjacent patches of 2 × 2 pixels. Pixels outside the image are zero, or left out.
/// Channels must be a multiple of four.
struct WinogradImages {
  int images, height, width, channels;
  constexpr std::int64_t patches() const { return std::int64_t{images} * ((height + 1) / 2) * ((width + 1) / 2); }
};

/// The number of matrices that a convolution becomes: one for each point of a transformed patch.
constexpr int winograd_points = 16;

/// Transforms the 4 × 4 pixels around each patch: points × patches × channels.
void winograd_input(const WinogradImages& shape, const float* images, float* to, cudaStream_t stream);
/// Transforms the products, points × patches × channels, to images.
void winograd_output(const WinogradImages& shape, const float* products, float* images, cudaStream_t stream);
/// Transforms the gradients of the patches: points × patches × channels.
void winograd_output_back(const WinogradImages& shape, const float* slopes, float* to, cudaStream_t stream);

/// Transforms filters, out × 3 × 3 × in, to points × out × in; `turned`: rotated by 180°, for the gradient of a
/// convolution's input.
void winograd_filters(int out, int in, bool turned, const float* weights, float* to, cudaStream_t stream);
/// Transforms sums, points × parts × out × in, to the filters' gradients; the parts are added in their order.
void winograd_filters_back(int out, int in, int parts, const float* sums, float* slopes, cudaStream_t stream);

}  // namespace rv::workers
