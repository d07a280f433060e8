#include "workers/compute/backend.h"
#include "workers/compute/gemm_cuda.h"
#include "workers/compute/memory_bandwidth_cuda.h"
#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

class CudaBackend : public Backend {
 public:
  /// Selects the GPU for the calling thread; only that thread may use the backend.
  explicit CudaBackend(Device device) : device_(std::move(device)) {
    cuda_call(cudaSetDevice(device_.index), "use the GPU");
  }

  const Device& device() const override { return device_; }
  std::string lacks(NumberType type) const override {
    if (type == NumberType::fp8 && device_.compute_capability < 89) return "fp8 needs compute capability 8.9";
    if (type == NumberType::fp64 || type == NumberType::fp32 || type == NumberType::fp16) return "";
    return device_.compute_capability < 80 ? "tf32 and bf16 need compute capability 8.0" : "";
  }
  std::unique_ptr<Product> product(NumberType type, std::size_t n) override { return cuda_product(type, n); }
  std::unique_ptr<StreamArrays> stream_arrays(std::size_t bytes) override { return cuda_stream_arrays(bytes); }
  std::unique_ptr<HostLink> host_link(std::size_t bytes) override { return cuda_host_link(bytes); }
  std::unique_ptr<MemoryUnderTest> memory(std::size_t) override { return cuda_memory(0); }

 private:
  Device device_;
};

}  // namespace

std::unique_ptr<Backend> cuda_backend(const Device& device) {
  return std::make_unique<CudaBackend>(device);
}

}  // namespace rv::workers
