#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "workers/memory/room.h"
#include "workers/ranks/refusal.h"
#include "workers/training/throughput.h"

namespace rv::workers {

/// What one rank finds on its device, and how many ranks take from it.
struct RankRoom {
  Room room;
  int sharing = 1;
};

/// Of ranks that need `needed` bytes each for a batch of so many samples: nothing if all have them. Else what is needed
/// and free where there is least room for each, and the largest batch that fits there. `rooms`: by rank, those that are
/// told; `hosts`: by rank.
std::optional<Refusal> refuse_large_batch(int batch, const std::vector<std::optional<RankRoom>>& rooms,
                                          const std::vector<std::string>& hosts, bool on_gpu,
                                          const std::function<std::size_t(int)>& needed);

/// Asks every rank what is free, before anything large is taken: the same answer on all. Of a request that is complete.
std::optional<Refusal> refuse_what_does_not_fit(Peer& peer, bool on_gpu, const ThroughputRequest& request,
                                                const LearnerRequest& learner);

}  // namespace rv::workers
