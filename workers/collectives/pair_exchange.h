#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "workers/collectives/communicator.h"

namespace rv::workers {

/// How the GPUs of two ranks send each other what they have computed, while they compute on. Both ranks enqueue the
/// same in the same order; it may be recorded and run again.
class PairExchange {
 public:
  virtual ~PairExchange() = default;
  /// Where the other rank's come to, on this GPU.
  virtual void* received() const = 0;
  /// Enqueues: `bytes` of `mine` go to where the other rank has `received()`, `offset` bytes behind its beginning, and
  /// the other rank's come here. What follows on the stream finds them.
  virtual void swap(const void* mine, std::size_t offset, std::size_t bytes, void* stream) = 0;
  /// Enqueues: all that came has been used, and may be written over by what is swapped next.
  virtual void used(void* stream) = 0;
  virtual std::string way() const = 0;  ///< for the report
};

/// For `bytes` from each of two ranks: copied by the GPUs' copy engines into each other's memory, so that no
/// multiprocessor takes part, where both can reach it (one host; PCIe or NVLink) and neither NCCL_P2P_DISABLE nor
/// NCCL_P2P_LEVEL is set; else by NCCL.
std::unique_ptr<PairExchange> pair_exchange(Peer& peer, Communicator& communicator, std::size_t bytes);

/// The first of both ways; null on both ranks where it is none.
std::unique_ptr<PairExchange> pair_copies(Peer& peer, const Device& device, std::size_t bytes);

}  // namespace rv::workers
