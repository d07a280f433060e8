#include "workers/ranks/peer.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "workers/devices/node_name.h"
#include "workers/ranks/handshake.h"

namespace rv::workers {
namespace {

constexpr auto sign_of_life_every = std::chrono::milliseconds(300);
constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::vector<std::string> strings(const Json& array) {
  std::vector<std::string> all;
  for (const auto& item : array) all.push_back(item.get<std::string>());
  return all;
}

}  // namespace

Peer::Peer(RankPosition position, const std::string& host, int port, std::string key, Deadlines deadlines, Fault fault)
    : position_(position), key_(std::move(key)), deadlines_(deadlines), fault_(fault) {
  const auto deadline = Clock::now() + deadlines_.join;
  channel_ = connect_to(host, port, deadline);
  introduce(
      channel_,
      {{"op", "hello"}, {"rank", position_.rank}, {"world", position_.world}, {"host", node_name()}, {"pid", getpid()}},
      key_, fmt::format("{}:{}", host, port), deadline);
  thread_ = std::thread([this] { listen(); });
  try {
    std::unique_lock lock(state_);
    // The coordinator has the same deadline and reports who is missing; this is for a coordinator that does not answer.
    const auto last = deadline + deadlines_.silence + deadlines_.grace;
    if (!changed_.wait_until(lock, last, [this] { return started_ || ended_; })) {
      throw RunEnded(fmt::format("rank 0's process at {} does not answer", host));
    }
    if (!started_) throw_ended();
    hosts_ = strings((*started_)["hosts"]);
    addresses_ = strings((*started_)["addresses"]);
  } catch (...) {
    leaving_ = true;
    thread_.join();
    throw;
  }
}

Peer::~Peer() {
  leave();
}

void Peer::leave() {
  if (!thread_.joinable()) return;
  if (!ended_) send({{"op", "bye"}});
  leaving_ = true;
  thread_.join();
  channel_.close();
}

void Peer::throw_ended() const {
  throw RunEnded(reason_);
}

std::vector<Json> Peer::gather(const std::string& name, const Json& part) {
  check();
  {
    const std::lock_guard lock(state_);
    gathered_.reset();
  }
  send({{"op", "gather"}, {"name", name}, {"part", part}});
  std::unique_lock lock(state_);
  const auto last = Clock::now() + deadlines_.step + deadlines_.silence + deadlines_.grace;
  if (!changed_.wait_until(lock, last, [this] { return gathered_ || ended_; })) {
    throw RunEnded(fmt::format("no answer from rank 0's process at: {}", name));
  }
  if (!gathered_) throw_ended();
  const auto& parts = (*gathered_)["parts"];
  return {parts.begin(), parts.end()};
}

void Peer::doing(std::string what) {
  send_doing(std::move(what), step_);
  suffer(fault_, position_.rank, step_);
}

void Peer::reached(std::string what) {
  send_doing(std::move(what), part_);
}

void Peer::send_doing(std::string what, std::int64_t& count) {
  check();
  {
    const std::lock_guard lock(state_);
    doing_ = std::move(what);
    ++count;
  }
  send(alive());
}

void Peer::check() const {
  if (!ended_) return;
  const std::lock_guard lock(state_);
  throw_ended();
}

void Peer::report(const Json& line) {
  send({{"op", "report"}, {"line", line}});
}

void Peer::fail(const std::string& reason, bool symptom, const std::string& cause) {
  send({{"op", "fail"}, {"reason", reason}, {"symptom", symptom}, {"cause", cause}});
}

bool Peer::send(const Json& message) {
  const std::lock_guard lock(sending_);
  return channel_.send(message, Clock::now() + deadlines_.silence);
}

Json Peer::alive() {
  const std::lock_guard lock(state_);
  return {{"op", "alive"}, {"step", step_}, {"part", part_}, {"doing", doing_}};
}

void Peer::end(const std::string& reason) {
  {
    const std::lock_guard lock(state_);
    if (ended_) return;
    reason_ = reason;
    ended_at_ = Clock::now();
    ended_ = true;
  }
  changed_.notify_all();
}

void Peer::handle(const Json& message) {
  const auto op = message.is_object() ? message.value("op", "") : "";
  if (op == "end" || op == "refused") {
    end(message.value("reason", "the run was ended"));
    return;
  }
  {
    const std::lock_guard lock(state_);
    if (op == "started") started_ = message;
    if (op == "gathered") gathered_ = message;
  }
  changed_.notify_all();
}

void Peer::listen() {
  auto next_sign = Clock::now() + sign_of_life_every;
  bool connected = true;
  while (!leaving_) {
    pollfd waiting{connected ? channel_.socket() : -1, POLLIN, 0};
    poll(&waiting, 1, 50);
    if (connected && waiting.revents != 0) {
      connected = channel_.receive_some(most_bytes);
      try {
        while (auto message = channel_.next()) handle(*message);
      } catch (const Json::exception&) {
        end("rank 0's process sent what is not a message");
      }
      if (!connected && !leaving_) end("rank 0's process is gone");
    }
    const auto now = Clock::now();
    if (now >= next_sign && connected) {
      next_sign = now + sign_of_life_every;
      send(alive());
    }
    std::optional<Clock::time_point> ended_at;
    {
      const std::lock_guard lock(state_);
      ended_at = ended_at_;
    }
    if (ended_at && now > *ended_at + deadlines_.grace / 2) {
      // No destructor may run: those of a communicator wait for the other ranks.
      _exit(exit_code(Verdict::error, false));
    }
  }
}

}  // namespace rv::workers
