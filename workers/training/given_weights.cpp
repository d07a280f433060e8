#include "workers/training/given_weights.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workers/devices/checksum.h"

namespace rv::workers {

Weights given_weights(Peer& peer, const std::filesystem::path& path, const Network& network) {
  peer.doing("reading the initial weights");
  auto weights = read_weights(path, network);
  // On another node the file of the same name may have other content.
  const auto all = peer.gather("initial weights", checksum_of(weights.parameters));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw std::runtime_error(fmt::format("{} is a different file for rank {} (host {}) than for rank 0", path.string(),
                                         rank, peer.hosts()[rank]));
  }
  return weights;
}

}  // namespace rv::workers
