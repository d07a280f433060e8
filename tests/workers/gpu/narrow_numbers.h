// What the checks of rv's own kernels in 16 bits share: numbers as they are stored and read, and time.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/workers/gpu/gpu_arrays.h"
#include "workers/devices/random_input.h"
#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// Random numbers as a GPU stores them, and as it reads them.
struct Numbers {
  Numbers(GpuType type, std::size_t count, std::uint64_t which) : read(count), stored(count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<float>(random_input(which, i));
      if (type == GpuType::fp16) {
        const auto rounded = __float2half(x);
        std::memcpy(&stored[i], &rounded, 2);
        read[i] = static_cast<double>(__half2float(rounded));
      } else {
        const auto rounded = __float2bfloat16(x);
        std::memcpy(&stored[i], &rounded, 2);
        read[i] = static_cast<double>(__bfloat162float(rounded));
      }
    }
  }
  std::vector<double> read;
  std::vector<std::uint16_t> stored;
};

inline std::vector<double> widened(GpuType type, const DeviceMemory& from, std::size_t count) {
  std::vector<std::uint16_t> stored(count);
  cuda_call(cudaMemcpy(stored.data(), from.as(), 2 * count, cudaMemcpyDeviceToHost), "read");
  std::vector<double> wide;
  for (const auto bits : stored) {
    if (type == GpuType::fp16) {
      wide.push_back(static_cast<double>(__half2float(__half(__half_raw{bits}))));
    } else {
      wide.push_back(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16)));
    }
  }
  return wide;
}

/// Of one run of so many that are enqueued.
template <class Run>
double milliseconds(const Run& run) {
  cudaEvent_t begin = nullptr, end = nullptr;
  cuda_call(cudaEventCreate(&begin), "create an event");
  cuda_call(cudaEventCreate(&end), "create an event");
  constexpr int repeats = 50;
  for (int i = 0; i < 10; ++i) run();
  cuda_call(cudaEventRecord(begin, nullptr), "record an event");
  for (int i = 0; i < repeats; ++i) run();
  cuda_call(cudaEventRecord(end, nullptr), "record an event");
  cuda_call(cudaEventSynchronize(end), "compute");
  float time = 0;
  cuda_call(cudaEventElapsedTime(&time, begin, end), "read a timer");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return static_cast<double>(time) / repeats;
}

}  // namespace rv::workers
