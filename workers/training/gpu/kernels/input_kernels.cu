#include "workers/training/gpu/kernels/input_kernels.h"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {
namespace {

template <class T>
__global__ void padded(const float* from, std::int64_t positions, int channels, T* to) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= positions) return;
  for (int c = 0; c < channels; ++c) to[i * channels + c] = from_float<T>(c < 3 ? from[i * 3 + c] : 0.0F);
}

}  // namespace

void pad_images(GpuType type, const float* from, std::int64_t positions, int channels, void* to, cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    padded<<<static_cast<unsigned int>((positions + 255) / 256), 256, 0, stream>>>(from, positions, channels,
                                                                                   static_cast<T*>(to));
  });
}

}  // namespace rv::workers
