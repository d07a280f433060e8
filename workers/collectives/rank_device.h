#pragma once

#include "workers/collectives/communicator.h"

namespace rv::workers {

/// What a rank computes and talks with.
struct RankDevice {
  Gpus gpus;  ///< of this process; empty on the CPU path
  std::unique_ptr<Communicator> communicator;
};

/// The GPU by the rank's place on its host, or the one GPU that the launcher left visible; its communicator. Two ranks
/// on one card are refused by name, since NCCL would hang on them.
RankDevice rank_device(Peer& peer, bool on_gpu);

/// Which rank sits where, for the report.
struct RankTable {
  Json json;
  std::string text;
};
RankTable describe_ranks(Peer& peer, const RankDevice& place);

}  // namespace rv::workers
