#pragma once

#include <string>
#include <vector>

#include "workers/ranks/peer.h"

namespace rv::workers {

/// A figure of all ranks together, without a value yet.
Measurement about_all(std::string suite, std::string name, std::string unit);

/// Names a rank: "rank 3 (host n2, GPU-…)". `cards`: the UUIDs of the ranks' GPUs; empty on the host.
std::string whose(const Peer& peer, const std::vector<Json>& cards, std::size_t rank);

}  // namespace rv::workers
