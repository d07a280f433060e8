#pragma once

#include <filesystem>

#include "workers/collectives/communicator.h"
#include "workers/training/learning/weights_file.h"

namespace rv::workers {

/// The weights of this file, which every rank reads. Throws std::runtime_error where it is not the same file for all.
Weights given_weights(Peer& peer, const std::filesystem::path& path, const Network& network);

}  // namespace rv::workers
