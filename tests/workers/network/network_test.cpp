#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>

#include <future>
#include <set>
#include <stdexcept>

#include "workers/network/pairs.h"
#include "workers/network/tcp_link.h"
#include "workers/ranks/handshake.h"
#include "workers/ranks/token.h"

namespace rv::workers {
namespace {

Reach reach(const std::string& host, const std::string& machine, std::vector<Interface> interfaces) {
  return {host, machine, 1, std::move(interfaces)};
}

TEST_CASE("in rounds each rank meets each other one once, in one pair at a time") {
  for (int world = 2; world < 12; ++world) {
    std::set<std::pair<int, int>> met;
    for (const auto& round : pair_rounds(world)) {
      std::set<int> busy;
      for (const auto& pair : round) {
        CHECK(pair.first < pair.second);
        CHECK(busy.insert(pair.first).second);
        CHECK(busy.insert(pair.second).second);
        CHECK(met.insert(pair).second);
      }
    }
    CHECK(met.size() == static_cast<std::size_t>(world * (world - 1) / 2));
  }
}

TEST_CASE("nodes meet by interfaces of one name; a bridge that both have leads nowhere") {
  const Interface bridge{"docker0", "172.17.0.1", std::nullopt};
  const auto a = reach("a", "1", {{"eth0", "10.0.0.1", 25000}, bridge, {"ib0", "10.1.0.1", std::nullopt}});
  const auto b = reach("b", "2", {{"eth0", "10.0.0.2", 25000}, bridge});
  CHECK(address_by(a, b, "eth0") == "10.0.0.2");
  CHECK(address_by(a, b, "docker0").empty());
  CHECK(address_by(b, a, "ib0").empty());
  CHECK(address_by(a, b, "lo").empty());
  CHECK(common_names({a, b}) == std::vector<std::string>{"eth0"});
  // Two ranks of one machine, which has no network at all.
  CHECK(common_names({reach("a", "1", {}), reach("a", "1", {})}) == std::vector<std::string>{"lo"});
  CHECK(common_names({reach("a", "1", {}), reach("b", "2", {})}).empty());
  const auto back = reach_from_json(to_json(a));
  CHECK(back.interfaces[0].megabits == 25000);
  CHECK_FALSE(back.interfaces[2].megabits);
}

TEST_CASE("a link's connector sends no proof to a listener without the key, nor to one of another pair") {
  int port = 0;
  const auto listener = listen_on(port, true);
  const auto key = derived_key(step_key("0123456789abcdef", "step"), "tcp from rank 0 to rank 1");
  for (const auto& answer : {std::string(128, '0'), std::string("!"), std::string()}) {
    std::string heard;
    auto stranger = std::async(std::launch::async, [&] {
      pollfd waiting{listener.number(), POLLIN, 0};
      poll(&waiting, 1, 10000);
      const os::Descriptor socket(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
      std::array<char, 1000> bytes{};
      for (bool answered = false;;) {
        const auto count = recv(socket.number(), bytes.data(), bytes.size(), 0);
        if (count <= 0) return;
        heard.append(bytes.data(), static_cast<std::size_t>(count));
        if (answered || heard.size() < 74) continue;
        send(socket.number(), answer.data(), answer.size(), MSG_NOSIGNAL);
        shutdown(socket.number(), SHUT_WR);
        answered = true;
      }
    });
    CHECK_THROWS_WITH(TcpLink::to("127.0.0.1", port, key, 1, Clock::now() + std::chrono::seconds(10)),
                      doctest::Contains("another program, or another version of rv-io, answers there"));
    stranger.get();
    CHECK(heard.size() == 74);  // the greeting and a nonce
    CHECK(heard.find(key) == std::string::npos);
  }
  auto other = std::async(std::launch::async, [&] {
    const auto swapped = derived_key(step_key("0123456789abcdef", "step"), "tcp from rank 1 to rank 0");
    TcpLink::from(listener.number(), swapped, 1, Clock::now() + std::chrono::seconds(1));
  });
  CHECK_THROWS_AS(TcpLink::to("127.0.0.1", port, key, 1, Clock::now() + std::chrono::seconds(10)), std::runtime_error);
  CHECK_THROWS_AS(other.get(), std::runtime_error);
}

TEST_CASE("a link counts what arrived, and lets in only who has the key") {
  int port = 0;
  auto listener = listen_on(port, true);
  const auto token = random_token();
  const auto soon = Clock::now() + std::chrono::seconds(20);
  auto other = std::async(std::launch::async, [&] {
    auto link = TcpLink::from(listener.number(), token, 3, soon);
    link.answer_pings(10);
    const auto there = link.receive();
    link.send(0.02);
    return there;
  });
  CHECK_THROWS_AS(TcpLink::to("127.0.0.1", port, random_token(), 1, soon), std::runtime_error);
  auto link = TcpLink::to("127.0.0.1", port, token, 3, soon);
  CHECK(link.ping(10).size() == 10);
  const auto counted = link.send(0.02);
  const auto back = link.receive();
  const auto there = other.get();
  CHECK(counted.bytes == there.bytes);
  CHECK(counted.seconds == there.seconds);
  CHECK(there.bytes > 0);
  CHECK(back.bytes > 0);
  listener.close();
  CHECK_THROWS_AS(TcpLink::to("127.0.0.1", port, token, 1, soon), std::runtime_error);
}

}  // namespace
}  // namespace rv::workers
