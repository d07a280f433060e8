#include "workers/training/fitting_batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "shared/documents/json_integer.h"

namespace rv::workers {
namespace {

int ranks_of_host(const std::vector<std::string>& hosts, int rank) {
  const auto& own = hosts[static_cast<std::size_t>(rank)];
  return static_cast<int>(std::count(hosts.begin(), hosts.end(), own));
}

std::vector<std::optional<RankMemory>> gather_memory(Peer& peer, bool on_gpu) {
  const auto own = on_gpu ? available_gpu_memory() : available_host_memory();
  // A GPU belongs to one rank.
  const int sharing = on_gpu ? 1 : ranks_of_host(peer.hosts(), peer.rank());
  std::vector<std::optional<RankMemory>> memories;
  for (const auto& one :
       peer.gather("room", own ? Json{{"free", own->free}, {"total", own->total}, {"sharing", sharing}} : Json())) {
    auto& memory = memories.emplace_back();
    if (one.is_null()) continue;
    memory = RankMemory{{integer_at<std::size_t>(one, "free"), integer_at<std::size_t>(one, "total")},
                        integer_at<int>(one, "sharing")};
  }
  return memories;
}

}  // namespace

std::optional<Refusal> refuse_large_batch(int batch, const std::vector<std::optional<RankMemory>>& memories,
                                          const std::vector<std::string>& hosts, bool on_gpu,
                                          const std::function<std::size_t(int)>& needed) {
  const auto for_each = [](const RankMemory& one) { return one.memory.free / static_cast<std::size_t>(one.sharing); };
  std::optional<std::size_t> least;
  for (std::size_t rank = 0; rank < memories.size(); ++rank) {
    if (memories[rank] && (!least || for_each(*memories[rank]) < for_each(*memories[*least]))) least = rank;
  }
  if (!least) return std::nullopt;
  const auto& there = *memories[*least];
  const auto asked = needed(batch);
  if (asked <= for_each(there)) return std::nullopt;
  const int fits = most_that_fit(batch, for_each(there), needed);
  const auto sharing = static_cast<std::size_t>(there.sharing);
  return Refusal{
      fmt::format("{}: {}a step of {}--batch-size {} needs {} bytes of {}memory, but {} are free",
                  on_gpu ? "out_of_memory" : "out_of_host_memory",
                  memories.size() > 1 ? fmt::format("rank {} (host {}): ", *least, hosts[*least]) : "",
                  sharing > 1 ? fmt::format("{} ranks with ", sharing) : "", batch, sharing * asked,
                  on_gpu ? "GPU " : "", there.memory.free),
      fits > 0 ? fmt::format("--batch-size {} fits", fits) : "no batch fits; free some memory, or use smaller samples",
      does_not_fit};
}

std::optional<Refusal> refuse_what_does_not_fit(Peer& peer, bool on_gpu, const ThroughputRequest& request,
                                                const LearnerRequest& learner) {
  const auto memories = gather_memory(peer, on_gpu);
  const auto bytes_needed = on_gpu ? gpu_bytes_counter(learner, peer.world()) : host_bytes_needed;
  return refuse_large_batch(*request.batch, memories, peer.hosts(), on_gpu, [&](int batch) {
    auto other = request;
    other.batch = batch;
    return bytes_needed(network_of(other, on_gpu));
  });
}

}  // namespace rv::workers
