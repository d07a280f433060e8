#include "workers/training/image_decoders.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "shared/documents/json_integer.h"

namespace rv::workers {
namespace {

/// The first obstacle, with its host if there are several ranks.
std::string first_of(const std::vector<std::string>& obstacles, const std::vector<std::string>& hosts) {
  for (std::size_t rank = 0; rank < obstacles.size(); ++rank) {
    if (obstacles[rank].empty()) continue;
    return obstacles.size() > 1 ? fmt::format("rank {} (host {}): {}", rank, hosts[rank], obstacles[rank])
                                : obstacles[rank];
  }
  return "";
}

}  // namespace

bool all_decode_on_gpus(const std::string& wish, const std::vector<std::string>& obstacles,
                        const std::vector<std::string>& hosts) {
  if (wish == "host") return false;
  const auto obstacle = first_of(obstacles, hosts);
  if (!obstacle.empty() && wish == "nvjpeg") {
    throw std::runtime_error(
        fmt::format("--decoder nvjpeg is not available: {}; --decoder host works without it", obstacle));
  }
  return obstacle.empty();
}

ImageDecoders image_decoders(Peer& peer, const std::string& wish, bool on_gpu, int threads) {
  ImageDecoders decoders;
  decoders.threads = threads;
  std::string obstacle;
  if (!on_gpu) {
    obstacle = "it needs a GPU";
  } else if (wish != "host") {
    try {
      decoders.gpu = nvjpeg_decoders(threads);
    } catch (const std::runtime_error& error) {
      obstacle = error.what();
    }
  }
  std::vector<std::string> obstacles;
  for (const auto& one : peer.gather("decoders", Json{{"threads", threads}, {"obstacle", obstacle}})) {
    obstacles.push_back(one.at("obstacle").get<std::string>());
    decoders.most = std::max(decoders.most, integer_at<int>(one, "threads"));
  }
  if (all_decode_on_gpus(wish, obstacles, peer.hosts())) return decoders;
  if (on_gpu && wish == "auto" && peer.rank() == 0) {
    fmt::print(stderr, "rv-train: the host decodes the images: {}\n", first_of(obstacles, peer.hosts()));
  }
  decoders.gpu = {};
  decoders.most = 0;
  return decoders;
}

}  // namespace rv::workers
