#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "workers/memory/available_memory.h"
#include "workers/ranks/refusal.h"
#include "workers/training/throughput.h"

namespace rv::workers {

/// The memory that one rank finds on its device, and how many ranks share it.
struct RankMemory {
  AvailableMemory memory;
  int sharing = 1;
};

/// Checks whether a batch of `batch` samples fits, where each rank needs `needed(batch)` bytes. Returns nothing if it
/// fits on all ranks, else a refusal with the needed and the free memory of the tightest rank, and the largest batch
/// that fits. `memories`: by rank, nothing if unknown; `hosts`: by rank.
std::optional<Refusal> refuse_large_batch(int batch, const std::vector<std::optional<RankMemory>>& memories,
                                          const std::vector<std::string>& hosts, bool on_gpu,
                                          const std::function<std::size_t(int)>& needed);

/// Gathers the free memory of every rank before anything large is allocated, and returns the same on all. The request
/// must be complete.
std::optional<Refusal> refuse_what_does_not_fit(Peer& peer, bool on_gpu, const ThroughputRequest& request,
                                                const LearnerRequest& learner);

}  // namespace rv::workers
