// Replaces the *_cuda files of this folder in a build without CUDA.
#include "workers/compute/backend.h"

namespace rv::workers {

std::unique_ptr<Backend> cuda_backend(const Device&) {
  return nullptr;
}

}  // namespace rv::workers
