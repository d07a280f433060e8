#include "workers/collectives/pair_suites.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "workers/collectives/named_rank.h"
#include "workers/collectives/node_rounds.h"
#include "workers/collectives/suite_figures.h"
#include "workers/devices/stopping.h"

namespace rv::workers {
namespace {

/// The distance of two ranks in a ring of all ranks.
std::size_t ring_distance(std::size_t from, std::size_t to, std::size_t world) {
  const auto ahead = (to + world - from) % world;
  return std::min(ahead, world - ahead);
}

/// All pairs of ranks in one of the two modes, and their speeds.
struct PairSpeeds {
  bool both = false;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<double> speeds;  ///< GB/s
};

/// Pairs with an unusual speed. NCCL gives pairs at different distances in its ring a different share of its channels
/// when both directions are used (four healthy H200: 240 GB/s to a neighbour, 158 GB/s to the opposite rank), and a
/// connection to another node differs from one within a node. So only equal pairs are compared. On the host, whose CPU
/// has other users, only large differences count.
std::vector<std::size_t> outliers(const Peer& peer, const PairSpeeds& all, bool on_host) {
  std::map<std::pair<bool, std::size_t>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < all.pairs.size(); ++i) {
    const auto world = static_cast<std::size_t>(peer.world());
    const auto [from, to] = all.pairs[i];
    groups[{peer.hosts()[from] == peer.hosts()[to], all.both ? ring_distance(from, to, world) : 0}].push_back(i);
  }
  std::vector<std::size_t> slow;
  for (const auto& [way, group] : groups) {
    std::vector<double> of_group;
    for (const auto i : group) of_group.push_back(all.speeds[i]);
    for (const auto member : slow_pairs(of_group, on_host ? 0.02 : 0.75)) slow.push_back(group[member]);
  }
  return slow;
}

void judge_pairs(Measurement& m, const Peer& peer, const std::vector<Json>& cards, const PairSpeeds& all,
                 const std::vector<std::size_t>& outliers) {
  std::vector<std::string> slow;
  std::vector<int> ranks;
  for (const auto i : outliers) {
    const auto [from, to] = all.pairs[i];
    slow.push_back(fmt::format("{} {} {}: {:.3g} GB/s", whose(peer, cards, from), all.both ? "<->" : "->",
                               whose(peer, cards, to), all.speeds[i]));
    for (const auto end : {from, to}) ranks.push_back(static_cast<int>(end));
  }
  m.value = median(all.speeds);
  m.spread = median_absolute_deviation(all.speeds);
  m.verdict = slow.empty() ? Verdict::pass : Verdict::fail;
  m.rank = named_most(ranks);
  if (!slow.empty())
    m.reason = fmt::format("slow pairs, the median is {:.3g} GB/s: {}", *m.value, fmt::join(slow, "; "));
}

/// GB/s from `from` to `to`; the same number on every rank.
double pair_speed(Peer& peer, Communicator& communicator, const CollectiveRequest& request, int from, int to,
                  bool both) {
  peer.doing(fmt::format("transfer {} {} {}", from, both ? "<->" : "->", to));
  peer.barrier("pair");
  const int iterations = std::clamp(request.iterations, 1, 10);
  std::vector<double> speeds;
  for (int i = 0; i < request.samples; ++i) {
    auto seconds = communicator.transfer(from, to, request.p2p_bytes, iterations, both);
    if (peer.fault().hits(Fault::Kind::slow, peer.rank()) && (peer.rank() == from || peer.rank() == to)) {
      seconds += static_cast<double>(peer.fault().at) / 1e3;
    }
    const auto all = peer.gather("pair's time", seconds);
    const auto slower =
        std::max(all[static_cast<std::size_t>(from)].get<double>(), all[static_cast<std::size_t>(to)].get<double>());
    speeds.push_back(static_cast<double>(request.p2p_bytes) / slower / 1e9);
  }
  return median(speeds);
}

Json matrix_of(const PairSpeeds& all, std::size_t world) {
  Json matrix(world, Json(world, nullptr));
  for (std::size_t i = 0; i < all.pairs.size(); ++i) matrix[all.pairs[i].first][all.pairs[i].second] = all.speeds[i];
  return matrix;
}

/// The ranks of each node, the nodes in the order of their first ranks.
std::vector<std::vector<int>> ranks_by_node(const Peer& peer) {
  std::vector<std::string> names;
  std::vector<std::vector<int>> ranks;
  for (int rank = 0; rank < peer.world(); ++rank) {
    const auto& name = peer.hosts()[static_cast<std::size_t>(rank)];
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (at == names.size()) {
      names.push_back(name);
      ranks.emplace_back();
    }
    ranks[at].push_back(rank);
  }
  return ranks;
}

/// The pairs of ranks that transfer at the same time in a round.
std::vector<std::pair<int, int>> rank_pairs(const NodePairs& round, const std::vector<std::vector<int>>& ranks) {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [one, other] : round) {
    const auto count = std::min(ranks[one].size(), ranks[other].size());
    for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(ranks[one][i], ranks[other][i]);
  }
  return pairs;
}

/// GB/s of each pair, while all transfer at the same time; the same numbers on every rank.
std::vector<double> round_speeds(Peer& peer, Communicator& communicator, const CollectiveRequest& request,
                                 const std::vector<std::pair<int, int>>& pairs) {
  constexpr int iterations = 4, samples = 2;
  std::vector<double> best(pairs.size(), 0);
  for (int sample = 0; sample < samples; ++sample) {
    peer.barrier("round");
    double seconds = 0;
    for (const auto& [from, to] : pairs) {
      if (peer.rank() != from && peer.rank() != to) continue;
      seconds = communicator.transfer(from, to, request.p2p_bytes, iterations, /*both=*/false);
      if (peer.fault().hits(Fault::Kind::slow, peer.rank())) seconds += static_cast<double>(peer.fault().at) / 1e3;
    }
    const auto all = peer.gather("round's time", seconds);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto slower = std::max(all[static_cast<std::size_t>(pairs[i].first)].get<double>(),
                                   all[static_cast<std::size_t>(pairs[i].second)].get<double>());
      best[i] = std::max(best[i], static_cast<double>(request.p2p_bytes) / std::max(slower, 1e-9) / 1e9);
    }
  }
  return best;
}

}  // namespace

void run_pairs(Peer& peer, Communicator& communicator, const CollectiveRequest& request,
               const std::vector<Json>& cards) {
  const auto world = static_cast<std::size_t>(peer.world());
  const bool on_host = communicator.device().index < 0;
  communicator.reserve(request.p2p_bytes);
  for (const bool both : {false, true}) {
    PairSpeeds all{both, {}, {}};
    const auto speed_of = [&](const std::pair<std::size_t, std::size_t>& pair) {
      return pair_speed(peer, communicator, request, static_cast<int>(pair.first), static_cast<int>(pair.second), both);
    };
    for (std::size_t from = 0; from < world; ++from) {
      for (std::size_t to = both ? from + 1 : 0; to < world; ++to) {
        if (from != to) all.pairs.emplace_back(from, to);
      }
    }
    for (const auto& pair : all.pairs) all.speeds.push_back(speed_of(pair));
    // Other programs slow a pair down for a moment, a bad link always does. Outliers are measured again, and the better
    // figure counts. Every rank has all figures, so all select the same pairs.
    std::size_t again = 0;
    auto slow = outliers(peer, all, on_host);
    for (int round = 0; round < 2 && !slow.empty(); ++round) {
      for (const auto i : slow) all.speeds[i] = std::max(all.speeds[i], speed_of(all.pairs[i]));
      again += slow.size();
      slow = outliers(peer, all, on_host);
    }
    auto m = about_all("p2p", both ? "p2p both ways" : "p2p one way", "GB/s");
    m.params = {{"bytes", request.p2p_bytes},
                {"both_ways", both},
                {"matrix", matrix_of(all, world)},
                {"measured_again", again}};
    judge_pairs(m, peer, cards, all, slow);
    if (peer.rank() == 0) peer.report(m);
  }
}

void run_rounds(Peer& peer, Communicator& communicator, const CollectiveRequest& request,
                const std::vector<Json>& cards) {
  const auto ranks = ranks_by_node(peer);
  const auto rounds = node_rounds(ranks.size());
  if (rounds.empty()) return;
  const auto world = static_cast<std::size_t>(peer.world());
  communicator.reserve(request.p2p_bytes);
  PairSpeeds all{/*both=*/false, {}, {}};
  std::vector<double> fastest(world, 0);
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    auto pairs = rank_pairs(rounds[round], ranks);
    for (int direction = 0; direction < 2; ++direction) {
      peer.doing(fmt::format("round {} of {}", round + 1, rounds.size()));
      const auto speeds = round_speeds(peer, communicator, request, pairs);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto from = static_cast<std::size_t>(pairs[i].first), to = static_cast<std::size_t>(pairs[i].second);
        all.pairs.emplace_back(from, to);
        all.speeds.push_back(speeds[i]);
        for (const auto end : {from, to}) fastest[end] = std::max(fastest[end], speeds[i]);
        std::swap(pairs[i].first, pairs[i].second);
      }
    }
  }
  auto m = about_all("p2p", "pairs of nodes", "GB/s");
  m.value = median(all.speeds);
  m.spread = median_absolute_deviation(all.speeds);
  m.params = {{"bytes", request.p2p_bytes},
              {"nodes", ranks.size()},
              {"rounds", rounds.size()},
              {"matrix", matrix_of(all, world)},
              {"fastest_by_rank", fastest}};
  std::vector<std::string> slow;
  std::vector<int> named;
  // Ranks without a partner, where nodes have different numbers of GPUs.
  std::vector<std::size_t> tested;
  std::vector<double> of_tested;
  for (std::size_t rank = 0; rank < world; ++rank) {
    if (fastest[rank] <= 0) continue;
    tested.push_back(rank);
    of_tested.push_back(fastest[rank]);
  }
  const bool on_host = communicator.device().index < 0;
  for (const auto i : slow_pairs(of_tested, on_host ? 0.02 : 0.75)) {
    slow.push_back(fmt::format("{}: {:.3g} GB/s at most", whose(peer, cards, tested[i]), of_tested[i]));
    named.push_back(static_cast<int>(tested[i]));
  }
  m.verdict = slow.empty() ? Verdict::pass : Verdict::fail;
  m.rank = named_most(named);
  if (!slow.empty()) {
    m.reason = fmt::format("slow to and from every other node, the median of all is {:.3g} GB/s: {}", median(of_tested),
                           fmt::join(slow, "; "));
  }
  if (peer.rank() == 0) peer.report(m);
}

}  // namespace rv::workers
