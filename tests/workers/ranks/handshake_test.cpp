#include "workers/ranks/handshake.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/workers/error_of.h"
#include "workers/ranks/meeting.h"
#include "workers/ranks/peer.h"

using namespace rv::workers;
namespace os = rv::os;
using rv::tests::error_of;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const std::string token = "0123456789abcdef0123456789abcdef";

Clock::time_point soon() {
  return Clock::now() + seconds(10);
}

/// The next message of the other side; nothing if it closes.
std::optional<Json> next_of(Channel& channel) {
  for (int i = 0; i < 200; ++i) {
    if (auto message = channel.next()) return message;
    pollfd waiting{channel.socket(), POLLIN, 0};
    poll(&waiting, 1, 50);
    if (waiting.revents != 0 && !channel.receive_some(1 << 20)) return channel.next();
  }
  return std::nullopt;
}

Channel accepted(int listener) {
  pollfd waiting{listener, POLLIN, 0};
  poll(&waiting, 1, 10000);
  return Channel(os::Descriptor(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)));
}

/// Rank 0's side of a meeting of two, in a thread.
class Served {
 public:
  explicit Served(const std::string& key)
      : listener_(listen_on(port_, true)),
        coordinator_({"a", "b"}, {}, Clock::now()),
        meeting_(std::move(listener_), key, coordinator_),
        thread_([this] {
          while (!over_) meeting_.serve(milliseconds(20));
        }) {}
  ~Served() {
    over_ = true;
    thread_.join();
  }
  int port() const { return port_; }
  Channel connect() const { return connect_to("127.0.0.1", port_, soon()); }

 private:
  int port_ = 0;
  os::Descriptor listener_;
  Coordinator coordinator_;
  Meeting meeting_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

Json hello_of(int rank) {
  return {{"op", "hello"},         {"rank", rank}, {"world", 2},
          {"host", "b"},           {"pid", 1},     {"protocol", handshake_protocol},
          {"nonce", fresh_nonce()}};
}

std::string text_in(const Json& json, const char* name) {
  return json.at(name).get<std::string>();
}

}  // namespace

TEST_CASE("a key is one step's, and neither it nor the token is in a handshake") {
  const auto key = step_key(token, "rv-collective\ncollective");
  CHECK(key != step_key(token, "rv-train\ntrain"));
  CHECK(key != step_key("f" + token, "rv-collective\ncollective"));
  CHECK(derived_key(key, "tcp from rank 0 to rank 1") != derived_key(key, "tcp from rank 1 to rank 0"));
  int port = 0;
  const auto listener = listen_on(port, true);
  std::string sent;
  std::thread listening([&] {
    auto channel = accepted(listener.number());
    const auto hello = next_of(channel);
    if (!hello) return;
    const Challenge challenge(*hello);
    channel.send(challenge.message(key), soon());
    const auto answer = next_of(channel);
    if (answer && challenge.proven(*answer, key)) sent = hello->dump() + challenge.message(key).dump() + answer->dump();
  });
  auto channel = connect_to("127.0.0.1", port, soon());
  CHECK_NOTHROW(introduce(channel, {{"op", "hello"}, {"rank", 1}}, key, "here", soon()));
  listening.join();
  REQUIRE(sent != "");
  CHECK(sent.find(token) == std::string::npos);
  CHECK(sent.find(key) == std::string::npos);
}

TEST_CASE("a listener without the key receives nothing secret, and the rank reports why it fails") {
  const auto key = step_key(token, "step");
  int port = 0;
  const auto listener = listen_on(port, true);
  const auto played = [&](const std::function<Json(const Json&)>& answer) {
    std::string heard;
    std::thread stranger([&] {
      auto channel = accepted(listener.number());
      auto hello = next_of(channel);
      if (!hello) return;
      heard = hello->dump();
      channel.send(answer(*hello), soon());
      if (const auto more = next_of(channel)) heard += more->dump();
    });
    const auto error = error_of([&] { Peer({1, 2, 0}, "127.0.0.1", port, key, {}); });
    stranger.join();
    CHECK(heard.find("\"rank\":1") != std::string::npos);
    CHECK(heard.find("proof") == std::string::npos);
    CHECK(heard.find(token) == std::string::npos);
    return error;
  };
  const auto unproven = "does not prove that it is rank 0 of this step";
  const auto with_key = [](const Json& hello, const std::string& other) { return Challenge(hello).message(other); };
  CHECK(played([](const Json&) -> Json {
          return {{"op", "started"}, {"hosts", {"a", "b"}}};
        }).find(unproven) != std::string::npos);
  CHECK(played([&](const Json& hello) { return with_key(hello, step_key("another token", "step")); }).find(unproven) !=
        std::string::npos);
  CHECK(played([&](const Json& hello) { return with_key(hello, step_key(token, "another step")); }).find(unproven) !=
        std::string::npos);
  // The rank's own nonce sent back, and a proof of another handshake.
  CHECK(played([](const Json& hello) -> Json {
          return {{"op", "challenge"}, {"nonce", hello.at("nonce")}, {"proof", hello.at("nonce")}};
        }).find(unproven) != std::string::npos);
  const auto earlier = with_key(hello_of(1), key);
  CHECK(played([&](const Json&) { return earlier; }).find(unproven) != std::string::npos);
  // An older rank 0, which takes the hello for one without a token; its words are not believed.
  const auto refused = played([](const Json&) -> Json {
    return {{"op", "refused"}, {"reason", "\x1b[31mrun rm -rf"}};
  });
  CHECK(refused.find("another version of rv's workers, or another program") != std::string::npos);
  CHECK(refused.find("rm -rf") == std::string::npos);
}

TEST_CASE(
    "a message of rank 0 whose members have other types ends the rank, and not by an exception that nobody catches") {
  const auto key = step_key(token, "step");
  int port = 0;
  const auto listener = listen_on(port, true);
  std::thread listening([&] {
    auto channel = accepted(listener.number());
    const auto hello = next_of(channel);
    if (!hello) return;
    channel.send(Challenge(*hello).message(key), soon());
    next_of(channel);
    channel.send({{"op", 7}}, soon());
    next_of(channel);
  });
  CHECK(error_of([&] {
          Peer({1, 2, 0}, "127.0.0.1", port, key, {});
        }) == "rank 0's process sent what is not a message");
  listening.join();
}

TEST_CASE("rank 0 lets in only a proof of this handshake and this rank") {
  const auto key = step_key(token, "step");
  const Served served(key);
  // What rank 0 answers to a hello, and then to the proof that `answer` makes.
  const auto exchange = [&](const Json& hello, const std::function<std::string(const Json& challenge)>& answer) {
    auto channel = served.connect();
    channel.send(hello, soon());
    const auto challenge = next_of(channel);
    if (!challenge || text_in(*challenge, "op") != "challenge") return challenge.value_or(Json());
    channel.send({{"op", "proof"}, {"proof", answer(*challenge)}}, soon());
    return next_of(channel).value_or(Json());
  };
  const auto refused = [](const Json& told_last) {
    return told_last.value("reason", "").find("the proof is not that of this step and this rank") != std::string::npos;
  };
  const auto proof_for = [&](const Json& hello, const std::string& with) {
    return [hello, with](const Json& challenge) {
      return proof_of(with, Side::connector, text_in(hello, "nonce"), text_in(challenge, "nonce"), hello.dump());
    };
  };
  const auto hello = hello_of(1);
  std::string recorded;
  // A whole handshake, which another one replays below.
  auto whole = served.connect();
  whole.send(hello, soon());
  const auto challenge = next_of(whole);
  REQUIRE(challenge);
  recorded = proof_for(hello, key)(*challenge);

  CHECK(refused(exchange(hello, [&](const Json&) { return recorded; })));
  CHECK(refused(exchange(hello, [](const Json& c) { return text_in(c, "proof"); })));  // reflected
  CHECK(refused(exchange(hello, [](const Json&) { return std::string(); })));
  CHECK(refused(exchange(hello, proof_for(hello, step_key(token, "another step")))));
  // The proof is rank 1's, and the hello says rank 0, another host, or a starter of ranks.
  for (const auto& [name, value] : {std::pair<const char*, Json>{"rank", 0}, {"host", "c"}, {"op", "watch"}}) {
    auto other = hello;
    other[name] = value;
    CHECK(refused(exchange(other, proof_for(hello, key))));
  }
  // An older version, which sends the token itself.
  const auto old = exchange({{"op", "hello"}, {"token", token}, {"rank", 1}, {"world", 2}}, {});
  CHECK(old.value("reason", "").find("a different version of rv's workers") != std::string::npos);
  // And the right one comes in.
  whole.send({{"op", "proof"}, {"proof", recorded}}, soon());
  auto rank_0 = served.connect();
  CHECK_NOTHROW(introduce(rank_0, {{"op", "hello"}, {"rank", 0}, {"world", 2}, {"host", "a"}}, key, "here", soon()));
  const auto started = next_of(whole);
  REQUIRE(started);
  CHECK(text_in(*started, "op") == "started");
}
