#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "workers/collectives/communicator.h"

namespace rv::workers {

/// Exchanges results between the GPUs of a few ranks while they continue to compute. All ranks enqueue the same calls
/// in the same order; the calls may be captured in a CUDA graph and replayed.
class RankExchange {
 public:
  static constexpr int most_ranks = 8;

  /// One transfer: `bytes` from offset `from` of the sender's buffer to offset `to` of the receiver's `memory()`.
  struct Move {
    std::size_t from = 0, to = 0, bytes = 0;
  };
  using Moves = std::function<Move(int sender, int receiver)>;

  virtual ~RankExchange() = default;
  /// The receive buffer on this GPU, initially zero; the other ranks write into it.
  virtual char* memory() const = 0;
  /// Enqueues the transfers from each rank to each other rank: `moves` returns the transfer for a pair. Returns the
  /// number of this part.
  virtual int send(const void* from, const Moves& moves, void* stream) = 0;
  /// Enqueues a wait until the others have sent that part. Wait for each part exactly once.
  virtual void await(int part, void* stream) = 0;
  /// Call it after all parts were awaited: enqueues a notice to the others that this rank has used the received data,
  /// so that the next send may overwrite it.
  virtual void used(void* stream) = 0;
  virtual std::string way() const = 0;  ///< the method, for the report
};

/// Creates an exchange with `bytes` of receive buffer on each rank. If all ranks can reach each other's GPU memory (one
/// host; PCIe or NVLink) and neither NCCL_P2P_DISABLE nor NCCL_P2P_LEVEL is set, the GPUs' copy engines do the
/// transfers, which takes no multiprocessor. Otherwise NCCL does them.
std::unique_ptr<RankExchange> rank_exchange(Peer& peer, Communicator& communicator, std::size_t bytes);

/// Creates the exchange with copy engines; null on all ranks if one of them can't use it.
std::unique_ptr<RankExchange> rank_copies(Peer& peer, const Device& device, std::size_t bytes);

}  // namespace rv::workers
