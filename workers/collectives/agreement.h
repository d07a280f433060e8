#pragma once

#include "workers/ranks/peer.h"

namespace rv::workers {

/// Ranks with other options would do something else, or wait for each other for ever. All ranks must call it with an
/// object of their options; throws std::runtime_error that names the first rank and option that is not as rank 0's.
void check_agreement(Peer& peer, const Json& options);

}  // namespace rv::workers
