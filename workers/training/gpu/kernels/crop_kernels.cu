#include <algorithm>

#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/crop_kernels.h"

namespace rv::workers {
namespace {

/// The weight, rounded as on the host.
__device__ float weight_of(const Tent& tent, double sum, std::int64_t pixel) {
  return static_cast<float>(static_cast<double>(static_cast<float>(tent.share(pixel))) / sum);
}

/// One block per line of the crop; each thread computes some of its pixels. Sums run first down, then across, without
/// fused multiply-adds, as on the host. `down_weights` has space for as many lines as a tent has.
__global__ void crop(const std::uint8_t* pixels, std::int64_t width, CropAxis across, CropAxis down, int size,
                     ColourScale colours, float* to) {
  extern __shared__ float down_weights[];
  const int y = static_cast<int>(blockIdx.x);
  const Tent lines = down.tent(y);
  const double lines_sum = lines.sum();
  for (auto line = lines.first + threadIdx.x; line < lines.end; line += blockDim.x) {
    down_weights[line - lines.first] = weight_of(lines, lines_sum, line);
  }
  __syncthreads();
  for (int x = static_cast<int>(threadIdx.x); x < size; x += static_cast<int>(blockDim.x)) {
    const Tent columns = across.tent(x);
    const double columns_sum = columns.sum();
    float colour[3] = {};
    for (auto column = columns.first; column < columns.end; ++column) {
      float mixed[3] = {};
      for (auto line = lines.first; line < lines.end; ++line) {
        const float weight = down_weights[line - lines.first];
        const auto* const pixel = pixels + (line * width + column) * 3;
        for (int c = 0; c < 3; ++c) {
          mixed[c] = __fadd_rn(mixed[c], __fmul_rn(weight, static_cast<float>(pixel[c])));
        }
      }
      const float weight = weight_of(columns, columns_sum, column);
      for (int c = 0; c < 3; ++c) colour[c] = __fadd_rn(colour[c], __fmul_rn(weight, mixed[c]));
    }
    float* const place = to + (static_cast<std::int64_t>(y) * size + x) * 3;
    for (int c = 0; c < 3; ++c) place[c] = __fsub_rn(__fmul_rn(colour[c], colours.scale[c]), colours.shift[c]);
  }
}

/// An upper bound of the lines in a tent of this axis.
std::int64_t most_lines(const CropAxis& axis) {
  return 2 * std::max<std::int64_t>(1, axis.extent / axis.resized + 1) + 2;
}

}  // namespace

void crop_pixels(const std::uint8_t* pixels, std::int64_t width, const CropAxis& across, const CropAxis& down, int size,
                 float* to, cudaStream_t stream) {
  const auto shared = static_cast<std::size_t>(most_lines(down)) * sizeof(float);
  crop<<<static_cast<unsigned int>(size), threads, shared, stream>>>(pixels, width, across, down, size, colour_scale(),
                                                                     to);
}

}  // namespace rv::workers
