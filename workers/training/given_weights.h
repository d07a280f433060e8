#pragma once

#include <filesystem>

#include "workers/collectives/communicator.h"
#include "workers/training/learning/weights_file.h"

namespace rv::workers {

/// Reads the weights of this file on every rank. Throws std::runtime_error if the file differs between ranks.
Weights given_weights(Peer& peer, const std::filesystem::path& path, const Network& network);

}  // namespace rv::workers
