#include <algorithm>

#include "workers/compute/memory_test.h"
#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

constexpr unsigned test_blocks = 4096, test_threads = 256, most_words = 8;

/// The kernel's result in device memory.
struct Findings {
  unsigned long long count;
  BadWord first[most_words];
};

__global__ void write_pattern(std::uint64_t* data, std::uint64_t count, MemoryPattern pattern, std::uint64_t parameter,
                              std::uint64_t mask) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    __stcs(reinterpret_cast<unsigned long long*>(data) + i, pattern_word(pattern, parameter, i) ^ mask);
  }
}

__global__ void verify_pattern(std::uint64_t* data, std::uint64_t count, MemoryPattern pattern, std::uint64_t parameter,
                               std::uint64_t mask, bool invert_after, Findings* findings) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  auto* const words = reinterpret_cast<unsigned long long*>(data);
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const unsigned long long expected = pattern_word(pattern, parameter, i) ^ mask;
    const auto got = __ldcs(words + i);
    if (got != expected) {
      const auto place = atomicAdd(&findings->count, 1ULL);
      if (place < most_words) findings->first[place] = {i, expected, got};
    }
    if (invert_after) __stcs(words + i, ~expected);
  }
}

class CudaMemory : public MemoryUnderTest {
 public:
  explicit CudaMemory(std::size_t most) : findings_(sizeof(Findings)) {
    constexpr auto reserve = std::size_t{512} << 20, page = std::size_t{2} << 20;
    std::size_t free = 0, total = 0;
    cuda_call(cudaMemGetInfo(&free, &total), "ask for free memory");
    auto bytes = free > 2 * reserve ? free - reserve : free / 2;
    if (most > 0) bytes = std::min(bytes, most);
    // Free memory may be fragmented: a failed allocation is retried with a little less.
    for (int attempt = 0;; ++attempt) {
      bytes = std::max(bytes / page * page, page);
      void* data = nullptr;
      const auto status = cudaMalloc(&data, bytes);
      if (status == cudaSuccess) {
        data_ = static_cast<std::uint64_t*>(data);
        words_ = bytes / sizeof(std::uint64_t);
        return;
      }
      if (status != cudaErrorMemoryAllocation || attempt == 20) cuda_call(status, "allocate GPU memory");
      cudaGetLastError();
      bytes -= bytes / 20;
    }
  }
  ~CudaMemory() override { cudaFree(data_); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  std::uint64_t words() const override { return words_; }
  std::uint64_t address() const override { return reinterpret_cast<std::uintptr_t>(data_); }

  void write(MemoryPattern pattern, std::uint64_t parameter, bool inverted) override {
    write_pattern<<<test_blocks, test_threads, 0, timer_.stream()>>>(data_, words_, pattern, parameter, mask(inverted));
    cuda_call(cudaGetLastError(), "write a pattern");
  }

  BadMemory verify(MemoryPattern pattern, std::uint64_t parameter, bool inverted, bool invert_after) override {
    const auto stream = timer_.stream();
    cuda_call(cudaMemsetAsync(findings_.as(), 0, sizeof(Findings), stream), "clear the findings");
    verify_pattern<<<test_blocks, test_threads, 0, stream>>>(data_, words_, pattern, parameter, mask(inverted),
                                                             invert_after, findings_.as<Findings>());
    cuda_call(cudaGetLastError(), "verify a pattern");
    Findings findings{};
    cuda_call(cudaMemcpyAsync(&findings, findings_.as(), sizeof findings, cudaMemcpyDeviceToHost, stream),
              "verify a pattern");
    cuda_call(cudaStreamSynchronize(stream), "verify a pattern");
    BadMemory bad;
    bad.count = findings.count;
    for (unsigned i = 0; i < most_words && i < findings.count; ++i) bad.first.push_back(findings.first[i]);
    return bad;
  }

 private:
  static std::uint64_t mask(bool inverted) { return inverted ? ~std::uint64_t{0} : 0; }

  DeviceMemory findings_;
  Timer timer_;
  std::uint64_t* data_ = nullptr;
  std::uint64_t words_ = 0;
};

}  // namespace

std::unique_ptr<MemoryUnderTest> cuda_memory(std::size_t most) {
  return std::make_unique<CudaMemory>(most);
}

}  // namespace rv::workers
