#include "workers/collectives/collective_suites.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "shared/documents/json_integer.h"
#include "workers/collectives/named_rank.h"
#include "workers/collectives/pair_suites.h"
#include "workers/collectives/suite_figures.h"
#include "workers/devices/stopping.h"

namespace rv::workers {
namespace {

double mean(const std::vector<Json>& values) {
  double sum = 0;
  for (const auto& value : values) sum += value.get<double>();
  return sum / static_cast<double>(values.size());
}

class Sweep {
 public:
  Sweep(Peer& peer, Communicator& communicator, const CollectiveRequest& request, const std::vector<Json>& cards)
      : peer_(peer), communicator_(communicator), request_(request), cards_(cards) {}

  void run() {
    auto sizes = sweep_sizes(request_);
    // The rank with the least free memory determines the size.
    const auto room = peer_.gather("room for buffers", communicator_.most_bytes());
    std::size_t least = integer_of<std::size_t>(room[0]);
    for (const auto& one : room) least = std::min(least, integer_of<std::size_t>(one));
    if (!sizes.empty() && sizes.back() > least) too_large(sizes, least);
    if (sizes.empty()) return;
    communicator_.reserve(std::max<std::size_t>(sizes.back(), 8 * static_cast<std::size_t>(peer_.world())));
    for (const auto collective : request_.collectives) {
      for (const auto type : request_.types) {
        if (!communicator_.supports(type)) {
          skip(collective, type);
          continue;
        }
        for (const auto bytes : sizes) {
          for (const bool in_place : request_.placements) {
            if (!in_place || has_in_place(collective)) one(make_call(collective, type, bytes, in_place, peer_.world()));
          }
        }
      }
    }
  }

 private:
  void too_large(std::vector<std::size_t>& sizes, std::size_t least) {
    auto m = about_all("collective", "sizes", "");
    m.verdict = Verdict::skip;
    m.reason = "no_memory";
    m.params["detail"] = fmt::format("sizes above {} MiB do not fit into the free memory of all ranks", least >> 20);
    if (peer_.rank() == 0) peer_.report(m);
    std::erase_if(sizes, [least](std::size_t size) { return size > least; });
  }

  void skip(Collective collective, ElementType type) {
    auto m = about_all("collective", fmt::format("{} {}", collective_name(collective), element_type_name(type)), "");
    m.verdict = Verdict::skip;
    m.reason = "type_not_supported";
    m.params["detail"] = fmt::format("{} does not support {}", communicator_.library(), element_type_name(type));
    if (peer_.rank() == 0) peer_.report(m);
  }

  struct Wrong {
    std::vector<int> ranks;
    std::string sentence;  ///< empty: no error
  };

  /// Runs the call once on fresh data, and checks every element on every rank.
  Wrong checked(const Call& call) {
    communicator_.prepare(call);
    peer_.barrier("prepared");
    communicator_.run_once(call);
    const auto& fault = peer_.fault();
    if (fault.hits(Fault::Kind::corrupt, peer_.rank()) || fault.hits(Fault::Kind::nan, peer_.rank())) {
      communicator_.corrupt(call, static_cast<std::uint64_t>(fault.at), fault.kind == Fault::Kind::nan);
    }
    const auto mine = communicator_.check(call);
    const auto text = [](double value) { return fmt::format("{:.9g}", value); };  // JSON has no NaN
    const auto all = peer_.gather(
        "checked",
        {{"wrong", mine.wrong}, {"first", mine.first}, {"expected", text(mine.expected)}, {"got", text(mine.got)}});
    std::vector<std::string> wrong;
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (all[rank]["wrong"] == 0) continue;
      ranks.push_back(static_cast<int>(rank));
      wrong.push_back(fmt::format("{}: {} of {} elements are wrong, the first at index {}: expected {}, got {}",
                                  whose(peer_, cards_, rank), integer_of<std::uint64_t>(all[rank]["wrong"]),
                                  call.received(), integer_of<std::uint64_t>(all[rank]["first"]),
                                  all[rank]["expected"].get<std::string>(), all[rank]["got"].get<std::string>()));
    }
    return {std::move(ranks), fmt::format("{}", fmt::join(wrong, "; "))};
  }

  void one(const Call& call) {
    auto m = about_all("collective",
                       fmt::format("{} {} {}{}", collective_name(call.collective), element_type_name(call.type),
                                   size_text(call.bytes()), call.in_place ? " in" : ""),
                       "GB/s");
    peer_.doing(m.name);
    auto wrong = checked(call);
    // Rank 0 determines the number of iterations: other ranks may measure other times.
    const auto pilot = communicator_.run(call, 1);
    const auto longest = std::max(mean(peer_.gather("pilot", pilot)), 1e-7);
    const auto budget = request_.seconds / request_.samples / longest;
    const auto iterations = std::clamp(static_cast<int>(budget), 1, request_.iterations);
    std::vector<double> times, spreads;
    for (int i = 0; i < request_.samples; ++i) {
      peer_.doing(m.name);
      peer_.barrier("timed");
      const auto all = peer_.gather("time", communicator_.run(call, iterations) / iterations);
      times.push_back(mean(all));
      double least = all[0].get<double>(), most = least;
      for (const auto& time : all) {
        least = std::min(least, time.get<double>());
        most = std::max(most, time.get<double>());
      }
      spreads.push_back(most - least);
    }
    if (wrong.ranks.empty()) wrong = checked(call);
    const auto time = median(times);
    const auto algorithm = static_cast<double>(call.bytes()) / time / 1e9;
    m.value = algorithm * bus_factor(call.collective, call.world);
    m.spread = median_absolute_deviation(times) / time * *m.value;
    m.params = {{"collective", collective_name(call.collective)},
                {"type", element_type_name(call.type)},
                {"bytes", call.bytes()},
                {"in_place", call.in_place},
                {"ranks", call.world},
                {"library", communicator_.library()},
                {"time_us", time * 1e6},
                {"time_us_best", *std::min_element(times.begin(), times.end()) * 1e6},
                {"time_us_between_ranks", median(spreads) * 1e6},
                {"algorithm_bandwidth", algorithm},
                {"iterations", iterations},
                {"samples", request_.samples}};
    m.verdict = wrong.ranks.empty() ? Verdict::pass : Verdict::fail;
    m.rank = named_most(wrong.ranks);
    m.reason = wrong.sentence;
    if (peer_.rank() == 0) peer_.report(m);
  }

  Peer& peer_;
  Communicator& communicator_;
  const CollectiveRequest& request_;
  const std::vector<Json>& cards_;
};

void run_straggler(Peer& peer, Communicator& communicator, const CollectiveRequest& request,
                   const std::vector<Json>& cards) {
  peer.doing("work before a collective");
  communicator.reserve(1024);
  const auto call = make_call(Collective::all_reduce, ElementType::fp32, 1024, false, peer.world());
  communicator.prepare(call);
  // So many rounds that the median rank takes some milliseconds.
  communicator.work(1);
  const auto once = peer.gather("one round", communicator.work(4) / 4);
  std::vector<double> rounds_of;
  rounds_of.reserve(once.size());
  for (const auto& time : once) rounds_of.push_back(time.get<double>());
  const int rounds = std::clamp(static_cast<int>(5e-3 / std::max(median(rounds_of), 1e-7)), 1, 100000);

  std::vector<double> mine;
  const int repeats = 5 * request.samples;
  for (int i = 0; i < repeats; ++i) {
    peer.doing("work before a collective");
    auto time = communicator.work(rounds);
    if (peer.fault().hits(Fault::Kind::slow, peer.rank())) time += static_cast<double>(peer.fault().at) / 1e3;
    mine.push_back(time);
    communicator.run_once(call);
  }
  const auto all = peer.gather("work", median(mine));
  std::vector<double> times;
  times.reserve(all.size());
  for (const auto& time : all) times.push_back(time.get<double>());
  auto m = about_all("straggler", "work per rank", "ms");
  m.value = median(times) * 1e3;
  m.spread = median_absolute_deviation(times) * 1e3;
  Json by_rank = Json::array();
  for (const auto time : times) by_rank.push_back(time * 1e3);
  m.params = {{"milliseconds_by_rank", by_rank}, {"rounds", rounds}, {"repeats", repeats}};
  std::vector<std::string> slow;
  std::vector<int> ranks;
  const bool on_host = communicator.device().index < 0;
  for (const auto i : slow_ranks(times, on_host ? 10 : 1.25)) {
    slow.push_back(fmt::format("{} took {:.3g} ms for the same work, {:.2f} times the median", whose(peer, cards, i),
                               times[i] * 1e3, times[i] / median(times)));
    ranks.push_back(static_cast<int>(i));
  }
  m.verdict = slow.empty() ? Verdict::pass : Verdict::fail;
  m.rank = named_most(ranks);
  if (!slow.empty()) m.reason = fmt::format("{}", fmt::join(slow, "; "));
  if (peer.rank() == 0) peer.report(m);
}

}  // namespace

std::vector<std::size_t> sweep_sizes(const CollectiveRequest& request) {
  std::vector<std::size_t> sizes;
  for (auto size = static_cast<double>(request.begin); size <= static_cast<double>(request.end);
       size *= request.factor) {
    sizes.push_back(static_cast<std::size_t>(size));
  }
  return sizes;
}

std::vector<std::size_t> slow_ranks(const std::vector<double>& seconds, double ratio) {
  if (seconds.size() < 2) return {};
  auto limit = std::max(ratio * median(seconds), median(seconds) + 5 * median_absolute_deviation(seconds));
  if (seconds.size() == 2) limit = ratio * std::min(seconds[0], seconds[1]);
  std::vector<std::size_t> slow;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (seconds[i] > limit) slow.push_back(i);
  }
  return slow;
}

std::vector<std::size_t> slow_pairs(const std::vector<double>& speeds, double ratio) {
  auto sorted = speeds;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> slow;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (speeds[i] < ratio * sorted[sorted.size() * 3 / 4]) slow.push_back(i);
  }
  return slow;
}

void run_collectives(Peer& peer, Communicator& communicator, const CollectiveRequest& request) {
  const auto cards = peer.gather("cards", communicator.device().uuid);
  if (!request.collectives.empty()) Sweep(peer, communicator, request, cards).run();
  if (request.p2p && peer.world() > 1) run_pairs(peer, communicator, request, cards);
  if (request.rounds) run_rounds(peer, communicator, request, cards);
  if (request.straggler) run_straggler(peer, communicator, request, cards);
}

}  // namespace rv::workers
