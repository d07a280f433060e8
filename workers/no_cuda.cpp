// Stands in for the *_cuda files in a build without CUDA: there are no GPUs, and the reason says so.
#include "workers/backend.h"
#include "workers/device.h"
#include "workers/mlp.h"

namespace rv::workers {

Gpus visible_gpus() {
  Gpus gpus;
  gpus.reason = "no_cuda_build";
  gpus.detail = "this worker was built without CUDA; rebuild where nvcc is (-DRV_CUDA=ON) to test GPUs";
  return gpus;
}

std::unique_ptr<Backend> cuda_backend(const Device&) {
  return nullptr;
}

std::unique_ptr<Mlp> cuda_mlp(const ToyData&) {
  return nullptr;
}

}  // namespace rv::workers
