#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// Converts images of three channels in fp32 to `channels` channels of the stored type; the additional ones are zero.
void pad_images(GpuType type, const float* from, std::int64_t positions, int channels, void* to, cudaStream_t stream);

}  // namespace rv::workers
