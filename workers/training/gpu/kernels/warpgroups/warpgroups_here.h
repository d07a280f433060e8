#pragma once

#include "workers/devices/cuda_call.h"

namespace rv::workers {

/// Whether the current device has compute capability 9.0: kernels with warpgroup products run on no other.
inline bool warpgroups_run_here() {
  int device = 0, major = 0, minor = 0;
  cuda_call(cudaGetDevice(&device), "ask for the GPU");
  cuda_call(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "ask for its architecture");
  cuda_call(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "ask for its architecture");
  return major == 9 && minor == 0;
}

}  // namespace rv::workers
