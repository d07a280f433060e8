#pragma once

#include "workers/collectives/communicator.h"

namespace rv::workers {

/// A rank's device and its connection to the others.
struct RankDevice {
  Gpus gpus;  ///< of this process; empty on the CPU
  std::unique_ptr<Communicator> communicator;
};

/// Selects the GPU with the rank's index on its host, or the only GPU that the launcher left visible, and creates its
/// communicator. Throws std::runtime_error that names both ranks if two of them have the same GPU, since NCCL would
/// hang.
RankDevice rank_device(Peer& peer, bool on_gpu);

/// The host and GPU of each rank, as JSON and as text, for the report.
struct RankTable {
  Json json;
  std::string text;
};
RankTable describe_ranks(Peer& peer, const RankDevice& place);

}  // namespace rv::workers
