#include <algorithm>
#include <chrono>
#include <cstring>

#include "workers/compute/memory_bandwidth_cuda.h"
#include "workers/devices/cuda_call.h"
#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

constexpr unsigned stream_threads = 256;

/// 16-byte vectors that each thread moves. Measured on H200: copy is 5 % faster with one than with four.
constexpr unsigned vectors_per_thread(StreamKernel kernel) {
  return arrays_moved(kernel) == 2 ? 1 : 4;
}
constexpr std::uint64_t longest_tile = std::uint64_t{stream_threads} * vectors_per_thread(StreamKernel::triad);

/// One element. Product and sum are rounded separately, so that the check can compute the same bits.
template <StreamKernel Kernel>
__device__ double element(double a, double b) {
  if constexpr (Kernel == StreamKernel::copy) return a;
  if constexpr (Kernel == StreamKernel::scale) return __dmul_rn(stream_factor, a);
  if constexpr (Kernel == StreamKernel::add) return __dadd_rn(a, b);
  return __dadd_rn(a, __dmul_rn(stream_factor, b));
}

/// Each block moves one tile of threads × vectors; the arrays consist of whole tiles.
template <StreamKernel Kernel>
__global__ void stream_pass(const double2* __restrict__ a, const double2* __restrict__ b, double2* __restrict__ c) {
  constexpr bool two_inputs = arrays_moved(Kernel) == 3;
  constexpr auto vectors = vectors_per_thread(Kernel);
  const auto first = std::uint64_t{blockIdx.x} * stream_threads * vectors + threadIdx.x;
  double2 x[vectors], y[vectors];
#pragma unroll
  for (unsigned v = 0; v < vectors; ++v) {
    x[v] = __ldcs(&a[first + v * stream_threads]);
    if constexpr (two_inputs) y[v] = __ldcs(&b[first + v * stream_threads]);
  }
#pragma unroll
  for (unsigned v = 0; v < vectors; ++v) {
    if constexpr (!two_inputs) y[v] = x[v];
    const auto result = make_double2(element<Kernel>(x[v].x, y[v].x), element<Kernel>(x[v].y, y[v].y));
    __stcs(&c[first + v * stream_threads], result);
  }
}

template <StreamKernel Kernel>
__global__ void count_wrong(const double* c, std::uint64_t count, unsigned long long* wrong) {
  unsigned long long mine = 0;
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto expected = element<Kernel>(random_input(3, i), random_input(4, i));
    if (__double_as_longlong(c[i]) != __double_as_longlong(expected)) ++mine;
  }
  if (mine > 0) atomicAdd(wrong, mine);
}

__global__ void fill_stream(double* data, std::uint64_t count, std::uint64_t seed) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = random_input(seed, i);
  }
}

class CudaStreamArrays : public StreamArrays {
 public:
  explicit CudaStreamArrays(std::size_t bytes)
      : tiles_(std::max<std::size_t>(bytes / sizeof(double2) / longest_tile, 1)),
        a_(this->bytes()),
        b_(this->bytes()),
        c_(this->bytes()),
        wrong_(sizeof(unsigned long long)) {
    fill_stream<<<1024, stream_threads, 0, timer_.stream()>>>(a_.as<double>(), count(), 3);
    fill_stream<<<1024, stream_threads, 0, timer_.stream()>>>(b_.as<double>(), count(), 4);
    cuda_call(cudaGetLastError(), "fill the arrays");
  }

  std::size_t bytes() const override { return tiles_ * longest_tile * sizeof(double2); }

  double run(StreamKernel kernel, int repeats) override {
    return timer_.seconds([&] {
      for (int i = 0; i < repeats; ++i) {
        switch (kernel) {
          case StreamKernel::copy:
            pass<StreamKernel::copy>();
            break;
          case StreamKernel::scale:
            pass<StreamKernel::scale>();
            break;
          case StreamKernel::add:
            pass<StreamKernel::add>();
            break;
          case StreamKernel::triad:
            pass<StreamKernel::triad>();
            break;
        }
      }
    });
  }

  void poison() override {
    cuda_call(cudaMemsetAsync(c_.as(), 0xff, bytes(), timer_.stream()), "poison the array");
    cuda_call(cudaStreamSynchronize(timer_.stream()), "poison the array");
  }

  std::uint64_t wrong_elements(StreamKernel kernel) override {
    unsigned long long wrong = 0;
    const auto stream = timer_.stream();
    cuda_call(cudaMemsetAsync(wrong_.as(), 0, sizeof wrong, stream), "clear the count");
    switch (kernel) {
      case StreamKernel::copy:
        check<StreamKernel::copy>();
        break;
      case StreamKernel::scale:
        check<StreamKernel::scale>();
        break;
      case StreamKernel::add:
        check<StreamKernel::add>();
        break;
      case StreamKernel::triad:
        check<StreamKernel::triad>();
        break;
    }
    cuda_call(cudaGetLastError(), "check the array");
    cuda_call(cudaMemcpyAsync(&wrong, wrong_.as(), sizeof wrong, cudaMemcpyDeviceToHost, stream), "check the array");
    cuda_call(cudaStreamSynchronize(stream), "check the array");
    return wrong;
  }

 private:
  std::uint64_t count() const { return bytes() / sizeof(double); }

  template <StreamKernel Kernel>
  void pass() {
    const auto blocks = tiles_ * longest_tile / (stream_threads * vectors_per_thread(Kernel));
    stream_pass<Kernel><<<static_cast<unsigned>(blocks), stream_threads, 0, timer_.stream()>>>(
        a_.as<double2>(), b_.as<double2>(), c_.as<double2>());
  }

  template <StreamKernel Kernel>
  void check() {
    count_wrong<Kernel>
        <<<1024, stream_threads, 0, timer_.stream()>>>(c_.as<double>(), count(), wrong_.as<unsigned long long>());
  }

  std::size_t tiles_;
  DeviceMemory a_, b_, c_, wrong_;
  Timer timer_;
};

/// Pinned host memory, which the GPU accesses without a staging copy.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) {
    cuda_call(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault), "allocate pinned host memory");
  }
  ~PinnedMemory() { cudaFreeHost(data_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

class CudaHostLink : public HostLink {
 public:
  explicit CudaHostLink(std::size_t bytes)
      : words_(std::max<std::size_t>(bytes / sizeof(std::uint64_t), 1)), host_(this->bytes()), device_(this->bytes()) {
    std::memset(host_.data(), 1, this->bytes());  // touches every page
  }

  std::size_t bytes() const override { return words_ * sizeof(std::uint64_t); }

  double copy(CopyDirection direction) override {
    return timer_.seconds([&] { enqueue(direction, bytes()); });
  }

  double small_copy(CopyDirection direction) override {
    const auto begin = std::chrono::steady_clock::now();
    enqueue(direction, sizeof(std::uint64_t));
    cuda_call(cudaStreamSynchronize(timer_.stream()), "wait for a copy");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::uint64_t wrong_words() override {
    auto* const words = static_cast<std::uint64_t*>(host_.data());
    for (std::size_t i = 0; i < words_; ++i) words[i] = scramble(i);
    copy(CopyDirection::to_device);
    std::memset(words, 0, bytes());
    copy(CopyDirection::to_host);
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < words_; ++i) wrong += words[i] != scramble(i) ? 1 : 0;
    return wrong;
  }

 private:
  void enqueue(CopyDirection direction, std::size_t bytes) {
    if (direction == CopyDirection::to_device) {
      cuda_call(cudaMemcpyAsync(device_.as(), host_.data(), bytes, cudaMemcpyHostToDevice, timer_.stream()),
                "copy to the GPU");
    } else {
      cuda_call(cudaMemcpyAsync(host_.data(), device_.as(), bytes, cudaMemcpyDeviceToHost, timer_.stream()),
                "copy from the GPU");
    }
  }

  std::size_t words_;
  PinnedMemory host_;
  DeviceMemory device_;
  Timer timer_;
};

}  // namespace

std::unique_ptr<StreamArrays> cuda_stream_arrays(std::size_t bytes) {
  return std::make_unique<CudaStreamArrays>(bytes);
}

std::unique_ptr<HostLink> cuda_host_link(std::size_t bytes) {
  return std::make_unique<CudaHostLink>(bytes);
}

}  // namespace rv::workers
