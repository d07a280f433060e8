#include "workers/training/gpu/request_of_learner.h"

namespace rv::workers {
namespace {

GpuPrecision precision_of(const std::string& name) {
  if (name == "fp32") return GpuPrecision::fp32;
  if (name == "tf32") return GpuPrecision::tf32;
  return name == "fp16" ? GpuPrecision::fp16 : GpuPrecision::bf16;
}

}  // namespace

GpuRequest request_of_learner(const LearnerRequest& request, int world) {
  GpuRequest gpu;
  gpu.world = world;
  gpu.precision = precision_of(request.precision);
  gpu.seed = request.seed;
  gpu.rate = static_cast<float>(request.rate);
  gpu.choices = request.choices;
  gpu.same_bits = request.same_bits;
  return gpu;
}

}  // namespace rv::workers
