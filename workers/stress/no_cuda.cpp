// Replaces load_cuda.cu in a build without CUDA.
#include <stdexcept>

#include "workers/stress/load.h"

namespace rv::workers {

std::unique_ptr<Load> cuda_load(std::size_t) {
  throw std::runtime_error("this rv-stress was built without CUDA");
}

}  // namespace rv::workers
