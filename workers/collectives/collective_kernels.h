#pragma once

#include <cuda_runtime_api.h>

#include "workers/collectives/collective.h"

namespace rv::workers {

/// All on the current device and the given stream; they throw what CUDA says of the launch.

/// What rank `rank` sends in this call.
void fill_sent(const Call& call, int rank, void* data, cudaStream_t stream);

struct WrongElements {
  unsigned long long count = 0;
  unsigned long long first = ~0ULL;
};
/// Adds up into `wrong` (device memory, set as above before) what of rank `rank`'s received data has other bits than it
/// must.
void find_wrong(const Call& call, int rank, const void* data, WrongElements* wrong, cudaStream_t stream);

/// Element `index` grows by one, or becomes NaN (all bits set).
void change_element(ElementType type, void* data, std::uint64_t index, bool nan, cudaStream_t stream);

/// The right value of an element and the one that is there, as numbers. Waits for the stream.
struct ElementPair {
  double expected = 0, got = 0;
};
ElementPair read_element(const Call& call, int rank, const void* data, std::uint64_t index, cudaStream_t stream);

/// Fused multiply-adds on every multiprocessor, `rounds` times about ten microseconds; `sink` takes one float.
void burn(int rounds, float* sink, cudaStream_t stream);

}  // namespace rv::workers
