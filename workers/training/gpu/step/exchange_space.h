#pragma once

#include <cstddef>

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// Where things lie in the memory that ranks which move their weights together (ShardedUpdate) write into each other:
/// bytes from its beginning, the same on every rank.
struct ExchangeSpace {
  static constexpr std::size_t passengers = 64;     ///< floats that travel along with the gradients
  static constexpr std::size_t most_buckets = 128;  ///< that gradients are sent in

  ExchangeSpace(const Network& network, GpuType type, int ranks);

  /// What `sender` sends of its gradients to `receiver`: those that all get, then its shares of the buckets.
  std::size_t slot(int sender, int receiver) const;

  std::size_t narrow = 0, parameters = 0, momentum = 0;  ///< arrays of all parameters
  std::size_t shares_in_slot = 0, passengers_in_slot = 0, overflow_in_slot = 0;
  std::size_t share_capacity = 0;  ///< elements
  std::size_t slot_bytes = 0, total = 0;

 private:
  std::size_t slots_ = 0;
};

}  // namespace rv::workers
