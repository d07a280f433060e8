// Replaces quadruped_cuda.cu in a build without CUDA.
#include <stdexcept>

#include "workers/envs/quadruped_paths.h"

namespace rv::envs {

std::unique_ptr<Environments> cuda_quadruped(const QuadrupedParts&) {
  throw std::runtime_error("this worker was built without CUDA");
}

}  // namespace rv::envs
