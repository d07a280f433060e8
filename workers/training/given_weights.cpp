#include "workers/training/given_weights.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "workers/devices/random_input.h"

namespace rv::workers {

std::string digest(std::span<const float> numbers) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) sum += checksum_term(i, std::bit_cast<std::uint32_t>(numbers[i]));
  return fmt::format("{:016x}", sum);
}

Weights given_weights(Peer& peer, const std::filesystem::path& path, const Network& network) {
  peer.doing("reading the initial weights");
  auto weights = read_weights(path, network);
  // On another node a file of the same name may be another.
  const auto all = peer.gather("initial weights", digest(weights.parameters));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw std::runtime_error(fmt::format("{} is another file for rank {} (host {}) than for rank 0", path.string(),
                                         rank, peer.hosts()[rank]));
  }
  return weights;
}

}  // namespace rv::workers
