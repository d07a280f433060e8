#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "workers/devices/cublas_library.h"
#include "workers/devices/cuda_call.h"
#include "workers/devices/random_input.h"
#include "workers/stress/load.h"

namespace rv::workers {
namespace {

constexpr int threads = 256, blocks = 4096;

__global__ void fill(float* data, std::uint64_t count, std::uint64_t seed, double scale) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = static_cast<float>(random_input(seed, i) * scale);
  }
}

/// relu, tanh, + A and × B in one pass: each number is read once and written once.
__global__ void finish(float* c, const float* a, const float* b, std::uint64_t count) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    c[i] = (tanhf(fmaxf(c[i], 0.0F)) + a[i]) * b[i];
  }
}

void cublas_call(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemory(what);
  throw std::runtime_error(std::string(what) + ": cuBLAS says " + std::to_string(static_cast<int>(status)));
}

class CudaLoad : public Load {
 public:
  explicit CudaLoad(std::size_t side)
      : n_(side), count_(std::uint64_t{side} * side), a_(count_ * 4), b_(count_ * 4), c_(count_ * 4) {
    const auto scale = load_scale(n_);
    fill<<<blocks, threads, 0, timer_.stream()>>>(a_.as<float>(), count_, 1, scale);
    fill<<<blocks, threads, 0, timer_.stream()>>>(b_.as<float>(), count_, 2, scale);
    cuda_call(cudaGetLastError(), "fill the matrices");
    cublas_call(cublas_.create(&handle_), "start cuBLAS");
    cublas_call(cublas_.set_stream(handle_, timer_.stream()), "give cuBLAS its stream");
    // Runs once, so that lazily loaded modules and one-time allocations exist before memory is measured.
    operate([] { return true; });
  }
  ~CudaLoad() override {
    if (handle_ != nullptr) cublas_.destroy(handle_);
    for (auto* const memory : leaked_) cudaFree(memory);
  }
  CudaLoad(const CudaLoad&) = delete;
  CudaLoad& operator=(const CudaLoad&) = delete;

  bool operate(const std::function<bool()>&) override {
    const float one = 1, zero = 0;
    const auto n = static_cast<int>(n_);
    // cuBLAS is column-major, so the matrices are transposed: Cᵀ = Bᵀ·Aᵀ gives a row-major C.
    cublas_call(cublas_.sgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b_.as<float>(), n, a_.as<float>(), n,
                              &zero, c_.as<float>(), n),
                "multiply");
    finish<<<blocks, threads, 0, timer_.stream()>>>(c_.as<float>(), a_.as<float>(), b_.as<float>(), count_);
    cuda_call(cudaGetLastError(), "launch a kernel");
    cuda_call(cudaStreamSynchronize(timer_.stream()), "wait for the GPU");
    return true;
  }

  float result(std::size_t row, std::size_t column) override {
    float value = 0;
    cuda_call(cudaMemcpy(&value, c_.as<float>() + row * n_ + column, sizeof value, cudaMemcpyDeviceToHost),
              "copy an element back");
    return value;
  }

  void leak(std::size_t bytes) override {
    void* memory = nullptr;
    cuda_call(cudaMalloc(&memory, bytes), "allocate GPU memory");
    leaked_.push_back(memory);
  }

 private:
  std::size_t n_;
  std::uint64_t count_;
  DeviceMemory a_, b_, c_;  // row-major
  Timer timer_;
  Cublas cublas_;
  cublasHandle_t handle_ = nullptr;
  std::vector<void*> leaked_;
};

}  // namespace

std::unique_ptr<Load> cuda_load(std::size_t side) {
  return std::make_unique<CudaLoad>(side);
}

}  // namespace rv::workers
