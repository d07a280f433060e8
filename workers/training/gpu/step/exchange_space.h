#pragma once

#include <cstddef>

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// The layout of the memory into which other ranks write when ranks update their weights together (ShardedUpdate):
/// offsets in bytes, the same on every rank.
struct ExchangeSpace {
  static constexpr std::size_t passengers = 64;     ///< floats that are sent with the gradients
  static constexpr std::size_t most_buckets = 128;  ///< maximum number of buckets

  ExchangeSpace(const Network& network, GpuType type, int ranks);

  /// The slot for the gradients that `sender` sends to `receiver`: those that all ranks get, then its shares of the
  /// buckets.
  std::size_t slot(int sender, int receiver) const;

  std::size_t narrow = 0, parameters = 0, momentum = 0;  ///< arrays of all parameters
  std::size_t shares_in_slot = 0, passengers_in_slot = 0, overflow_in_slot = 0;
  std::size_t share_capacity = 0;  ///< in elements
  std::size_t slot_bytes = 0, total = 0;

 private:
  std::size_t slots_ = 0;
};

}  // namespace rv::workers
