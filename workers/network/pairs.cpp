#include "workers/network/pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shared/documents/json_integer.h"
#include "shared/system/boot_id.h"
#include "shared/system/descriptor.h"
#include "workers/devices/node_name.h"
#include "workers/devices/stopping.h"
#include "workers/network/iperf3.h"
#include "workers/network/tcp_link.h"
#include "workers/ranks/handshake.h"

namespace rv::workers {
namespace {

/// Pairs share switches and CPUs with others, so only large differences count.
constexpr double slow_share = 0.4;
constexpr std::size_t fewest_to_compare = 4;
constexpr auto time_to_connect = std::chrono::seconds(5);
/// Seconds that iperf3 may take in addition to sending.
constexpr double most_beside = 15;

/// The boot ID of this machine.
std::string machine() {
  const auto boot = os::boot_id();
  return boot.empty() ? node_name() : boot;
}

/// The measurements of pairs, [from][to] by rank, on the rank that connects.
struct Found {
  int from = 0, to = 0;
  std::optional<double> round_trip, one_there, one_back, many_there, many_back;
  std::string fault;
};

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const Found& found) {
  return {{"from", found.from},
          {"to", found.to},
          {"round_trip", number_or_null(found.round_trip)},
          {"one", {number_or_null(found.one_there), number_or_null(found.one_back)}},
          {"many", {number_or_null(found.many_there), number_or_null(found.many_back)}},
          {"fault", found.fault}};
}

std::string streams_text(int streams) {
  return streams == 1 ? "1 stream" : fmt::format("{} streams", streams);
}

/// A port that is free at this moment; another process may take it first.
int free_port() {
  int port = 0;
  listen_on(port, false);
  return port;
}

double gigabytes(const Transfer& stretch) {
  return stretch.bytes / stretch.seconds / 1e9;
}

class Pairs {
 public:
  Pairs(Peer& peer, const PairRequest& request) : peer_(peer), request_(request) {
    int port = 0;
    listener_ = listen_on(port, false);
    const auto mine = workers::to_json(Reach{node_name(), machine(), port, own_interfaces()});
    for (const auto& one : peer_.gather("reach", mine)) reach_.push_back(reach_from_json(one));
  }

  void run() {
    auto names = common_names(reach_);
    if (!request_.only.empty()) {
      std::erase_if(names, [&](const std::string& name) {
        return std::find(request_.only.begin(), request_.only.end(), name) == request_.only.end();
      });
    }
    bool any = false;
    for (const auto& name : names) any = by(name) || any;
    if (any || peer_.rank() != 0) return;
    auto m = about("tcp", "");
    m.verdict = Verdict::fail;
    m.reason = names.empty() ? "no two nodes share an interface name with an IPv4 address"
                             : fmt::format("no node can reach another node over {}", fmt::join(names, ", "));
    peer_.report(m);
  }

 private:
  const Reach& reach(int rank) const { return reach_[static_cast<std::size_t>(rank)]; }

  /// Measures over one interface. False if no pair can use it.
  bool by(const std::string& interface) {
    std::vector<Json> all;
    const auto rounds = pair_rounds(peer_.world());
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      peer_.doing(fmt::format("TCP over {}, round {} of {}", interface, i + 1, rounds.size()));
      peer_.barrier("round");
      Json mine = nullptr;
      for (const auto& [one, other] : rounds[i]) {
        const auto address = address_by(reach(one), reach(other), interface);
        if (address.empty()) continue;
        if (peer_.rank() == one) mine = to_json(connect(one, other, address));
        if (peer_.rank() == other) answer(one, other);
      }
      for (const auto& found : peer_.gather("round is over", mine)) {
        if (found.is_object()) all.push_back(found);
      }
    }
    const bool reached =
        std::any_of(all.begin(), all.end(), [](const Json& found) { return found["round_trip"].is_number(); });
    if (peer_.rank() == 0 && reached) report(interface, all);
    if (reached) beside(interface, all);
    return reached;
  }

  /// Repeats the first pair that has this interface with iperf3, if both ranks have it, to check rv's own figure.
  void beside(const std::string& interface, const std::vector<Json>& all) {
    const auto parts = peer_.gather("pair", all.empty() ? Json() : all.front());
    const auto& first = parts[0];  // rank 0 has the same interfaces as the others
    const int one = integer_of<int>(first["from"]), other = integer_of<int>(first["to"]);
    const auto address = address_by(reach(one), reach(other), interface);
    for (const auto& [streams, key] : {std::pair{1, "one"}, {request_.streams, "many"}}) {
      peer_.doing(fmt::format("TCP over {}, by iperf3", interface));
      const bool part = peer_.rank() == one || peer_.rank() == other;
      const auto ready = peer_.gather("iperf3", {{"port", part && has_iperf3() ? free_port() : 0}});
      const int port = integer_of<int>(ready[static_cast<std::size_t>(other)]["port"]);
      if (port == 0 || ready[static_cast<std::size_t>(one)]["port"] == 0) return;
      Json mine = nullptr;
      if (peer_.rank() == other) serve_iperf3(address, port, request_.seconds + most_beside);
      if (peer_.rank() == one) mine = number_or_null(send_by_iperf3(address, port, streams, request_.seconds));
      const auto found = peer_.gather("iperf3 is over", mine);
      const auto& theirs = found[static_cast<std::size_t>(one)];
      if (peer_.rank() != 0 || !theirs.is_number() || !first[key][0].is_number()) continue;
      const auto name = fmt::format("tcp {}, {}", streams_text(streams), interface);
      auto m = about(name + ", by iperf3", "GB/s");
      m.device.model = speed_text(interface);
      m.value = theirs.get<double>();
      m.verdict = Verdict::pass;
      m.params = {{"by", "iperf3"},
                  {"of", name},
                  {"interface", interface},
                  {"from", reach(one).host},
                  {"to", reach(other).host},
                  {"ours", first[key][0]},
                  {"ratio", first[key][0].get<double>() / *m.value}};
      peer_.report(m);
    }
  }

  /// The key with which two ranks recognise each other's connections: no other pair has it.
  std::string key_of(int one, int other) const {
    return derived_key(peer_.key(), fmt::format("tcp from rank {} to rank {}", one, other));
  }

  Found connect(int one, int other, const std::string& address) {
    Found found;
    found.from = one;
    found.to = other;
    const auto port = reach(other).port;
    try {
      {
        auto link = TcpLink::to(address, port, key_of(one, other), 1, Clock::now() + time_to_connect);
        found.round_trip = median(link.ping(request_.pings));
        found.one_there = gigabytes(link.send(request_.seconds));
        found.one_back = gigabytes(link.receive());
      }
      auto link = TcpLink::to(address, port, key_of(one, other), request_.streams, Clock::now() + time_to_connect);
      found.many_there = gigabytes(link.send(request_.seconds));
      found.many_back = gigabytes(link.receive());
    } catch (const std::runtime_error& error) {
      found.fault = fmt::format("{} to {} ({}): {}", reach(one).host, reach(other).host, address, error.what());
    }
    return found;
  }

  void answer(int one, int other) {
    try {
      {
        auto link = TcpLink::from(listener_.number(), key_of(one, other), 1, Clock::now() + time_to_connect);
        link.answer_pings(request_.pings);
        link.receive();
        link.send(request_.seconds);
      }
      auto link =
          TcpLink::from(listener_.number(), key_of(one, other), request_.streams, Clock::now() + time_to_connect);
      link.receive();
      link.send(request_.seconds);
    } catch (const std::runtime_error&) {
      // The connecting side reports the error.
    }
  }

  Measurement about(const std::string& name, const std::string& unit) const {
    Measurement m;
    m.suite = "network";
    m.name = name;
    m.device.index = all_devices;
    m.device.model = "TCP";
    m.unit = unit;
    return m;
  }

  std::string speed_text(const std::string& interface) const {
    std::optional<int> speed;
    for (const auto& one : reach_) {
      for (const auto& way : one.interfaces) {
        if (way.name != interface) continue;
        if (speed && way.megabits != speed) return "TCP";
        speed = way.megabits;
      }
    }
    return speed ? fmt::format("TCP, {} Gb/s", *speed / 1000.0) : "TCP";
  }

  void report(const std::string& interface, const std::vector<Json>& all) {
    std::vector<std::string> faults;
    for (const auto& found : all) {
      if (const auto fault = found["fault"].get<std::string>(); !fault.empty()) faults.push_back(fault);
    }
    const auto both_ways = [&](const char* key) {
      return [key](const Json& found) { return std::pair(found[key][0], found[key][1]); };
    };
    const auto same = [](const Json& found) { return std::pair(found["round_trip"], found["round_trip"]); };
    report_one(interface, "round trip", "us", all, same, faults);
    report_one(interface, streams_text(1), "GB/s", all, both_ways("one"), {});
    report_one(interface, streams_text(request_.streams), "GB/s", all, both_ways("many"), {});
  }

  template <class Values>
  void report_one(const std::string& interface, const std::string& what, const std::string& unit,
                  const std::vector<Json>& all, Values values, const std::vector<std::string>& faults) {
    const auto world = static_cast<std::size_t>(peer_.world());
    Json matrix(world, Json(world, Json()));
    std::vector<double> numbers;
    std::vector<std::pair<int, int>> ways;
    const auto take = [&](const Json& from, const Json& to, const Json& value) {
      matrix[integer_of<std::size_t>(from)][integer_of<std::size_t>(to)] = value;
      if (!value.is_number()) return;
      numbers.push_back(value.get<double>());
      ways.emplace_back(integer_of<int>(from), integer_of<int>(to));
    };
    for (const auto& found : all) {
      const auto [there, back] = values(found);
      take(found["from"], found["to"], there);
      take(found["to"], found["from"], back);
    }
    auto m = about(fmt::format("tcp {}, {}", what, interface), unit);
    m.device.model = speed_text(interface);
    m.params = {{"interface", interface}, {"matrix", matrix}, {"seconds", request_.seconds}};
    std::vector<std::string> troubles = faults;
    if (!numbers.empty()) {
      m.value = median(numbers);
      m.spread = median_absolute_deviation(numbers);
      for (auto& slow : slow_ways(numbers, ways, unit)) troubles.push_back(std::move(slow));
    }
    m.verdict = troubles.empty() && m.value ? Verdict::pass : troubles.empty() ? Verdict::error : Verdict::fail;
    m.reason = troubles.empty() && !m.value ? "no pair finished" : fmt::format("{}", fmt::join(troubles, "; "));
    peer_.report(m);
  }

  std::vector<std::string> slow_ways(const std::vector<double>& numbers, const std::vector<std::pair<int, int>>& ways,
                                     const std::string& unit) const {
    std::vector<std::string> slow;
    if (numbers.size() < fewest_to_compare) return slow;
    const double middle = median(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool bad = unit == "us" ? numbers[i] * slow_share > middle : numbers[i] < middle * slow_share;
      if (!bad) continue;
      slow.push_back(fmt::format("{} to {}: {:.3g} {}, the median is {:.3g}", reach(ways[i].first).host,
                                 reach(ways[i].second).host, numbers[i], unit, middle));
    }
    return slow;
  }

  Peer& peer_;
  const PairRequest& request_;
  os::Descriptor listener_;
  std::vector<Reach> reach_;  // by rank
};

}  // namespace

std::vector<std::vector<std::pair<int, int>>> pair_rounds(int world) {
  std::vector<std::vector<std::pair<int, int>>> rounds;
  const int seats = world + world % 2;
  for (int round = 0; round < seats - 1; ++round) {
    auto& pairs = rounds.emplace_back();
    for (int i = 0; i < seats / 2; ++i) {
      // The circle method: the last position is fixed, the others rotate by one each round; an odd world leaves one
      // out.
      const int one = i == 0 ? seats - 1 : (round + i) % (seats - 1);
      const int other = i == 0 ? round : (round + seats - 1 - i) % (seats - 1);
      if (one < world && other < world) pairs.emplace_back(std::min(one, other), std::max(one, other));
    }
  }
  return rounds;
}

void measure_pairs(Peer& peer, const PairRequest& request) {
  if (peer.world() > 1) Pairs(peer, request).run();
}

}  // namespace rv::workers
