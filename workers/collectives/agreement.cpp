#include "workers/collectives/agreement.h"

#include <fmt/format.h>

#include <stdexcept>

#include "shared/documents/json_dump.h"

namespace rv::workers {

void check_agreement(Peer& peer, const Json& options) {
  const auto all = peer.gather("options", options);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    for (const auto& [key, value] : all[0].items()) {
      if (all[rank].at(key) == value) continue;
      throw std::runtime_error(
          fmt::format("rank {} (host {}) has {} {}, but rank 0 has {}; start all ranks with the same options", rank,
                      peer.hosts()[rank], key, json_dump(all[rank].at(key)), json_dump(value)));
    }
  }
}

}  // namespace rv::workers
