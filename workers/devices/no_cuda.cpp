// Replaces the *_cuda files of this folder in a build without CUDA: there are no GPUs, and `reason` says why.
#include "workers/devices/device.h"

namespace rv::workers {

Gpus visible_gpus() {
  Gpus gpus;
  gpus.reason = "no_cuda_build";
  gpus.detail = "this worker was built without CUDA; to test GPUs, rebuild it on a machine with nvcc (-DRV_CUDA=ON)";
  return gpus;
}

}  // namespace rv::workers
