#pragma once

#include "workers/ranks/peer.h"

namespace rv::workers {

/// Checks that all ranks have the same options: with different ones they would compute different things, or wait for
/// each other forever. All ranks must call it, each with an object of its options. Throws std::runtime_error that names
/// the first rank and option that differ from rank 0's.
void check_agreement(Peer& peer, const Json& options);

}  // namespace rv::workers
