#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "workers/collectives/communicator.h"

namespace rv::workers {

/// How the GPUs of a few ranks send each other what they have computed, while they compute on. All ranks enqueue the
/// same in the same order; it may be recorded and run again.
class RankExchange {
 public:
  static constexpr int most_ranks = 8;

  /// What one rank sends another: so many bytes from this place of what the sender sends from, to this place of the
  /// receiver's `memory()`.
  struct Move {
    std::size_t from = 0, to = 0, bytes = 0;
  };
  using Moves = std::function<Move(int sender, int receiver)>;

  virtual ~RankExchange() = default;
  /// Of this GPU, zeroed at first; the others write into it.
  virtual char* memory() const = 0;
  /// Enqueues what each rank sends each other one, and returns the number of this part.
  virtual int send(const void* from, const Moves& moves, void* stream) = 0;
  /// Enqueues: what follows on the stream finds what the others sent in that part. Each part is awaited once.
  virtual void await(int part, void* stream) = 0;
  /// Enqueues, after all parts were awaited: what came has been used, and may be written over by what is sent next.
  virtual void used(void* stream) = 0;
  virtual std::string way() const = 0;  ///< for the report
};

/// For so many bytes of memory on each rank: copied by the GPUs' copy engines into each other's memory, so that no
/// multiprocessor takes part, where all can reach it (one host; PCIe or NVLink) and neither NCCL_P2P_DISABLE nor
/// NCCL_P2P_LEVEL is set; else by NCCL.
std::unique_ptr<RankExchange> rank_exchange(Peer& peer, Communicator& communicator, std::size_t bytes);

/// The first of both ways; null on all ranks where it is none.
std::unique_ptr<RankExchange> rank_copies(Peer& peer, const Device& device, std::size_t bytes);

}  // namespace rv::workers
