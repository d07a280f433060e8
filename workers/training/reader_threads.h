#pragma once

#include "workers/collectives/communicator.h"
#include "workers/training/data/data_source.h"

namespace rv::workers {

/// How many of the processors that this rank may use are its own when ranks of its host may use the same ones: at
/// least one. All ranks must call it.
int share_of_processors(Peer& peer);

/// What results.json says of a source that reads while training goes on; null: it does not. `gpu_library`: what
/// decodes on the GPU; empty: nothing does.
Json reader_json(const DataSource& source, const std::string& gpu_library);

}  // namespace rv::workers
