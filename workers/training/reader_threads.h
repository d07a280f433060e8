#pragma once

#include "workers/collectives/communicator.h"
#include "workers/training/data/data_source.h"

namespace rv::workers {

/// The number of CPUs for this rank if ranks of its host share the same CPUs: at least one. All ranks must call it.
int share_of_processors(Peer& peer);

/// The entry of results.json about a source that reads during the training; null if it does not. `gpu_library`: the
/// library that decodes on the GPU; empty: none.
Json reader_json(const DataSource& source, const std::string& gpu_library);

}  // namespace rv::workers
