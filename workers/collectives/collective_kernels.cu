#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <stdexcept>

#include "workers/collectives/collective_kernels.h"
#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

constexpr unsigned blocks = 1024, threads = 256;

template <class T>
__host__ __device__ T element_of(std::uint64_t value) {
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
__host__ __device__ bool same_bits(T a, T b) {
  const auto* const x = reinterpret_cast<const unsigned char*>(&a);
  const auto* const y = reinterpret_cast<const unsigned char*>(&b);
  for (unsigned i = 0; i < sizeof(T); ++i) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

template <class T>
__global__ void fill(T* data, std::uint64_t count, Values values, int rank) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = element_of<T>(sent_value(values, rank, i));
  }
}

template <class T>
__global__ void compare(const T* data, std::uint64_t count, Collective collective, Values values, int rank, int root,
                        std::uint64_t part, WrongElements* wrong) {
  unsigned long long mine = 0, first = ~0ULL;
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto expected = element_of<T>(received_value(collective, values, rank, root, part, i));
    if (same_bits(data[i], expected)) continue;
    ++mine;
    if (i < first) first = i;
  }
  if (mine == 0) return;
  atomicAdd(&wrong->count, mine);
  atomicMin(&wrong->first, first);
}

template <class T>
__global__ void change(T* data, std::uint64_t index, bool nan) {
  if (nan) {
    auto* const bytes = reinterpret_cast<unsigned char*>(data + index);
    for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = 0xff;
  } else {
    data[index] = T(static_cast<float>(data[index]) + 1.0F);
  }
}

__global__ void multiply_add(int rounds, float* sink) {
  float a = static_cast<float>(threadIdx.x), b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < rounds * 512; ++i) {
    a = __fmaf_rn(a, 0.999F, 0.001F);
    b = __fmaf_rn(b, 0.999F, 0.001F);
    c = __fmaf_rn(c, 0.999F, 0.001F);
    d = __fmaf_rn(d, 0.999F, 0.001F);
  }
  if (a + b + c + d == -1.0F) *sink = a;  // never true, but the compiler does not know that
}

template <class Action>
void with_type(ElementType type, Action action) {
  switch (type) {
    case ElementType::int8:
      return action(std::int8_t{});
    case ElementType::int32:
      return action(std::int32_t{});
    case ElementType::int64:
      return action(std::int64_t{});
    case ElementType::fp16:
      return action(__half{});
    case ElementType::bf16:
      return action(__nv_bfloat16{});
    case ElementType::fp32:
      return action(float{});
    case ElementType::fp64:
      return action(double{});
  }
}

}  // namespace

void fill_sent(const Call& call, int rank, void* data, cudaStream_t stream) {
  with_type(call.type, [&](auto element) {
    fill<<<blocks, threads, 0, stream>>>(static_cast<decltype(element)*>(data), call.sent(), call.values(), rank);
  });
  cuda_call(cudaGetLastError(), "fill the send buffer");
}

void find_wrong(const Call& call, int rank, const void* data, WrongElements* wrong, cudaStream_t stream) {
  with_type(call.type, [&](auto element) {
    compare<<<blocks, threads, 0, stream>>>(static_cast<const decltype(element)*>(data), call.received(),
                                            call.collective, call.values(), rank, call.root, call.part, wrong);
  });
  cuda_call(cudaGetLastError(), "check the receive buffer");
}

void change_element(ElementType type, void* data, std::uint64_t index, bool nan, cudaStream_t stream) {
  with_type(type,
            [&](auto element) { change<<<1, 1, 0, stream>>>(static_cast<decltype(element)*>(data), index, nan); });
  cuda_call(cudaGetLastError(), "change an element");
}

ElementPair read_element(const Call& call, int rank, const void* data, std::uint64_t index, cudaStream_t stream) {
  ElementPair pair;
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    T got{};
    cuda_call(cudaMemcpyAsync(&got, static_cast<const T*>(data) + index, sizeof got, cudaMemcpyDeviceToHost, stream),
              "read an element");
    cuda_call(cudaStreamSynchronize(stream), "read an element");
    pair.got = static_cast<double>(got);
    pair.expected = static_cast<double>(
        element_of<T>(received_value(call.collective, call.values(), rank, call.root, call.part, index)));
  });
  return pair;
}

void burn(int rounds, float* sink, cudaStream_t stream) {
  multiply_add<<<blocks, threads, 0, stream>>>(rounds, sink);
  cuda_call(cudaGetLastError(), "start the work");
}

}  // namespace rv::workers
