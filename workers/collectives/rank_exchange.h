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

  /// What one rank sends another: `bytes` from offset `from` of the sender's buffer to offset `to` of the receiver's
  /// `memory()`.
  struct Move {
    std::size_t from = 0, to = 0, bytes = 0;
  };
  using Moves = std::function<Move(int sender, int receiver)>;

  virtual ~RankExchange() = default;
  /// The receive buffer on this GPU, initially zero; the other ranks write into it.
  virtual char* memory() const = 0;
  /// Enqueues what each rank sends to each other rank. Returns the number of this part.
  virtual int send(const void* from, const Moves& moves, void* stream) = 0;
  /// Enqueues a wait for what the others sent in that part. Each part is awaited once.
  virtual void await(int part, void* stream) = 0;
  /// Enqueues, after all parts were awaited: the received data has been used and may be overwritten by the next send.
  virtual void used(void* stream) = 0;
  virtual std::string way() const = 0;  ///< for the report
};

/// For so many bytes of memory on each rank: copied by the GPUs' copy engines into each other's memory, so that no
/// multiprocessor takes part, where all can reach it (one host; PCIe or NVLink) and neither NCCL_P2P_DISABLE nor
/// NCCL_P2P_LEVEL is set; else by NCCL.
std::unique_ptr<RankExchange> rank_exchange(Peer& peer, Communicator& communicator, std::size_t bytes);

/// The version with copy engines only; null on all ranks if one of them can't use it.
std::unique_ptr<RankExchange> rank_copies(Peer& peer, const Device& device, std::size_t bytes);

}  // namespace rv::workers
