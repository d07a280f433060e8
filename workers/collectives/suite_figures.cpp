#include "workers/collectives/suite_figures.h"

#include <fmt/format.h>

namespace rv::workers {

Measurement about_all(std::string suite, std::string name, std::string unit) {
  Measurement m;
  m.suite = std::move(suite);
  m.name = std::move(name);
  m.unit = std::move(unit);
  m.device.index = all_devices;
  m.device.model = "all ranks";
  return m;
}

std::string whose(const Peer& peer, const std::vector<Json>& cards, std::size_t rank) {
  const auto card = cards[rank].get<std::string>();
  return fmt::format("rank {} (host {}{})", rank, peer.hosts()[rank], card.empty() ? "" : ", " + card);
}

}  // namespace rv::workers
