#pragma once

#include <cuda_runtime_api.h>

#include "workers/collectives/collective.h"

namespace rv::workers {

/// The functions of this header enqueue on `stream` of the current device. They throw std::runtime_error with CUDA's
/// message if a kernel can't be launched.

/// Fills `data` with the values that rank `rank` sends in this call.
void fill_sent(const Call& call, int rank, void* data, cudaStream_t stream);

struct WrongElements {
  unsigned long long count = 0;
  unsigned long long first = ~0ULL;
};
/// Compares the data that rank `rank` received with the expected bits, and adds the number of wrong elements and the
/// lowest wrong index to `wrong`. `wrong` is in device memory and holds a default WrongElements before the first call.
void find_wrong(const Call& call, int rank, const void* data, WrongElements* wrong, cudaStream_t stream);

/// Adds one to element `index`, or sets all its bits (NaN).
void change_element(ElementType type, void* data, std::uint64_t index, bool nan, cudaStream_t stream);

/// An element's expected value and the value in memory, as doubles. read_element waits for the stream.
struct ElementPair {
  double expected = 0, got = 0;
};
ElementPair read_element(const Call& call, int rank, const void* data, std::uint64_t index, cudaStream_t stream);

/// Enqueues fused multiply-adds on every multiprocessor, about ten microseconds per round. `sink` has space for one
/// float.
void burn(int rounds, float* sink, cudaStream_t stream);

}  // namespace rv::workers
