#include "workers/compute/backend.h"

namespace rv::workers {
namespace {

class CpuBackend : public Backend {
 public:
  const Device& device() const override { return device_; }
  std::string lacks(NumberType type) const override {
    return type == NumberType::fp64 || type == NumberType::fp32 ? "" : "the CPU path has fp64 and fp32 only";
  }
  std::unique_ptr<Product> product(NumberType type, std::size_t n) override { return cpu_product(type, n); }
  std::unique_ptr<StreamArrays> stream_arrays(std::size_t bytes) override { return cpu_stream_arrays(bytes); }
  std::unique_ptr<HostLink> host_link(std::size_t) override { return nullptr; }
  std::unique_ptr<MemoryUnderTest> memory(std::size_t bytes) override { return cpu_memory(bytes); }

 private:
  Device device_ = host_processor();
};

}  // namespace

std::unique_ptr<Backend> cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace rv::workers
