// Replaces the GPU's decoder in a build without CUDA.
#include "workers/training/pictures/gpu_decoder.h"

namespace rv::workers {

GpuDecoders nvjpeg_decoders(int, bool) {
  throw std::runtime_error("this build has no CUDA, so no nvJPEG");
}

std::shared_ptr<float[]> gpu_floats(std::size_t) {
  throw std::runtime_error("this build has no CUDA, so no memory on a GPU");
}

}  // namespace rv::workers
