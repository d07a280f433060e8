// Stands in for the *_cuda files here in a build without CUDA: there are no GPUs, and the reason says so.
#include "workers/devices/device.h"

namespace rv::workers {

Gpus visible_gpus() {
  Gpus gpus;
  gpus.reason = "no_cuda_build";
  gpus.detail = "this worker was built without CUDA; to test GPUs, rebuild it on a machine with nvcc (-DRV_CUDA=ON)";
  return gpus;
}

}  // namespace rv::workers
