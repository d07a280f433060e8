#include "workers/collectives/rank_device.h"

#include <fmt/format.h>

#include <map>

namespace rv::workers {
namespace {

const Device& own_gpu(const Gpus& gpus, const Peer& peer) {
  if (!gpus.reason.empty()) throw std::runtime_error(fmt::format("{}: {}", gpus.reason, gpus.detail));
  const auto local = static_cast<std::size_t>(peer.local_rank());
  if (local < gpus.devices.size()) return gpus.devices[local];
  if (gpus.devices.size() == 1) return gpus.devices[0];  // the launcher has given each rank its own
  throw std::runtime_error(fmt::format("rank {} is number {} on its host, which shows it {} GPUs; start fewer ranks",
                                       peer.rank(), local + 1, gpus.devices.size()));
}

void refuse_shared(Peer& peer, const Device& device) {
  std::map<std::string, int> owners;
  const auto cards = peer.gather("cards in use", device.uuid);
  for (std::size_t rank = 0; rank < cards.size(); ++rank) {
    // A UUID identifies a card worldwide, whatever names the nodes have.
    const auto card = cards[rank].get<std::string>();
    const auto [owner, first] = owners.emplace(card, static_cast<int>(rank));
    if (first) continue;
    throw std::runtime_error(fmt::format("ranks {} and {} sit on one GPU: {}", owner->second, rank, card));
  }
}

}  // namespace

RankDevice rank_device(Peer& peer, bool on_gpu) {
  RankDevice place;
  if (!on_gpu) {
    peer.doing("connecting gloo");
    place.gpus.detail = "the ranks compute on the host";
    place.communicator = gloo_communicator(peer);
    return place;
  }
  peer.doing("starting CUDA");
  place.gpus = visible_gpus();
  const auto& device = own_gpu(place.gpus, peer);
  refuse_shared(peer, device);
  peer.doing("connecting NCCL");
  place.communicator = nccl_communicator(peer, device);
  return place;
}

RankTable describe_ranks(Peer& peer, const RankDevice& place) {
  const auto& device = place.communicator->device();
  const auto all = peer.gather("places", {{"gpu", device.index < 0 ? Json() : Json(device.index)},
                                          {"uuid", device.uuid},
                                          {"model", device.model},
                                          {"pci_bus_id", device.pci_bus_id}});
  RankTable table;
  table.json = Json::array();
  table.text = fmt::format("{} rank{}, {}\n", all.size(), all.size() == 1 ? "" : "s", place.communicator->library());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Json line = {{"rank", rank}, {"host", peer.hosts()[rank]}};
    line.update(all[rank]);
    table.json.push_back(line);
    table.text += fmt::format("rank {}: host {}, {} {}\n", rank, peer.hosts()[rank],
                              all[rank]["model"].get<std::string>(), all[rank]["uuid"].get<std::string>());
  }
  return table;
}

}  // namespace rv::workers
