#include "workers/training/reader_threads.h"

#include <sched.h>

#include <algorithm>
#include <string>
#include <thread>

namespace rv::workers {
namespace {

/// The numbers of the CPUs that this process may use.
std::string own_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // With more than 1,024 CPUs the result does not fit into the set.
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "";
  std::string numbers;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) numbers += std::to_string(i) + ",";
  }
  return numbers;
}

}  // namespace

int share_of_processors(Peer& peer) {
  const auto own = own_processors();
  const auto all = peer.gather("processors", own);
  int sharing = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (peer.hosts()[rank] == peer.hosts()[static_cast<std::size_t>(peer.rank())] && all[rank] == own) ++sharing;
  }
  const auto counted = std::count(own.begin(), own.end(), ',');
  const auto processors =
      counted > 0 ? static_cast<int>(counted) : static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, processors / std::max(1, sharing));
}

Json reader_json(const DataSource& source, const std::string& gpu_library) {
  const auto figures = source.figures();
  if (!figures) return nullptr;
  const auto decoded = source.decoded();
  return {{"threads", figures->threads},
          {"images", figures->images},
          {"images_per_second", figures->per_second()},
          {"decoder", gpu_library.empty() ? "libjpeg-turbo" : "nvjpeg"},
          {"decoder_library", gpu_library.empty() ? Json() : Json(gpu_library)},
          {"images_by_host", decoded.host},
          {"images_by_nvjpeg", decoded.nvjpeg},
          {"images_by_jpeg_engines", decoded.engines}};
}

}  // namespace rv::workers
