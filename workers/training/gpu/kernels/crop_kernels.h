#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/pictures/picture.h"

namespace rv::workers {

/// Computes crop_picture on the GPU, with the same bits. `pixels`: red, green and blue of `width` pixels per line; the
/// result is size × size × 3. `across` and `down`: Crop::axes of the picture.
void crop_pixels(const std::uint8_t* pixels, std::int64_t width, const CropAxis& across, const CropAxis& down, int size,
                 float* to, cudaStream_t stream);

}  // namespace rv::workers
