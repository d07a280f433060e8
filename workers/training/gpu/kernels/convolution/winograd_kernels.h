#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rv::workers {

/// Images with channels innermost, as patches of 2 × 2 pixels that lie side by side; what overhangs is zero, or left
/// out. Channels are a multiple of four.
struct WinogradImages {
  int images, height, width, channels;
  constexpr std::int64_t patches() const { return std::int64_t{images} * ((height + 1) / 2) * ((width + 1) / 2); }
};

/// How many matrices a convolution becomes: one for each point of a transformed patch.
constexpr int winograd_points = 16;

/// The 4 × 4 pixels around each patch, transformed: points × patches × channels.
void winograd_input(const WinogradImages& shape, const float* images, float* to, cudaStream_t stream);
/// The products, points × patches × channels, to the images.
void winograd_output(const WinogradImages& shape, const float* products, float* images, cudaStream_t stream);
/// The gradients of the patches, transformed: points × patches × channels.
void winograd_output_back(const WinogradImages& shape, const float* slopes, float* to, cudaStream_t stream);

/// Filters, out × 3 × 3 × in, to points × out × in; turned by half a circle for the gradients of a convolution's input.
void winograd_filters(int out, int in, bool turned, const float* weights, float* to, cudaStream_t stream);
/// Sums, points × parts × out × in, to the filters' gradients; the parts are added up in their order.
void winograd_filters_back(int out, int in, int parts, const float* sums, float* slopes, cudaStream_t stream);

}  // namespace rv::workers
