#include "workers/ranks/meeting.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "shared/documents/json_integer.h"

namespace rv::workers {
namespace {

/// Limits for a connection that has not proven itself: bytes of a message, and time.
constexpr std::size_t most_unknown = 4096, most_known = std::size_t{64} << 20;
constexpr auto time_to_say_hello = std::chrono::seconds(5);
constexpr auto time_to_send = std::chrono::milliseconds(500);

}  // namespace

Meeting::Meeting(os::Descriptor listener, std::string key, Coordinator& coordinator)
    : listener_(std::move(listener)), key_(std::move(key)), coordinator_(coordinator) {}

void Meeting::serve(std::chrono::milliseconds most) {
  deliver();
  std::vector<pollfd> sockets{{listener_.number(), POLLIN, 0}};
  std::vector<Connection*> connections;
  for (auto& connection : connections_) {
    sockets.push_back({connection.channel.socket(), POLLIN, 0});
    connections.push_back(&connection);
  }
  poll(sockets.data(), sockets.size(), static_cast<int>(most.count()));
  const auto now = Clock::now();
  for (std::size_t i = 0; i < connections.size(); ++i) {
    auto& connection = *connections[i];
    if (sockets[i + 1].revents != 0) {
      const bool open = connection.channel.receive_some(connection.known() ? most_known : most_unknown);
      while (!connection.gone) {
        const auto message = connection.channel.next();
        if (!message) break;
        receive(connection, *message);
      }
      if (!open && !connection.gone) {
        connection.gone = true;
        if (connection.rank >= 0) coordinator_.disconnected(connection.rank, now);
        if (!connection.starts.empty()) coordinator_.starter_lost(connection.starts, "is gone");
      }
    }
    if (!connection.known() && now - connection.came > time_to_say_hello) connection.gone = true;
  }
  connections_.remove_if([](const Connection& connection) { return connection.gone; });
  if (sockets[0].revents != 0) accept_all();
  coordinator_.tick(now);
  deliver();
}

void Meeting::accept_all() {
  while (true) {
    os::Descriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.number() < 0) return;
    auto& connection = connections_.emplace_back();
    connection.channel = Channel(std::move(socket));
    connection.came = Clock::now();
  }
}

void Meeting::refuse(Connection& connection, const std::string& reason) {
  connection.channel.send({{"op", "refused"}, {"reason", reason}}, Clock::now() + time_to_send);
  connection.gone = true;
}

void Meeting::receive(Connection& connection, const Json& message) {
  // A connection with another protocol is refused, and so are known messages with members of the wrong type.
  try {
    if (!message.is_object()) throw std::invalid_argument("not an object");
    if (!connection.known()) {
      if (connection.challenge) {
        prove(connection, message);
      } else {
        challenge(connection, message);
      }
    } else if (connection.rank >= 0) {
      coordinator_.receive(connection.rank, message, Clock::now());
    } else if (message.value("op", "") == "process_ended") {
      const auto rank = integer_at<int>(message, "rank");
      if (std::find(connection.starts.begin(), connection.starts.end(), rank) == connection.starts.end()) return;
      coordinator_.process_ended(rank, message.value("how", "ended"), Clock::now());
    }
  } catch (const std::exception&) {
    connection.gone = true;
    if (connection.rank >= 0) coordinator_.disconnected(connection.rank, Clock::now());
  }
}

void Meeting::challenge(Connection& connection, const Json& hello) {
  try {
    connection.challenge.emplace(hello);
  } catch (const std::invalid_argument& error) {
    refuse(connection, error.what());
    return;
  }
  connection.channel.send(connection.challenge->message(key_), Clock::now() + time_to_send);
}

void Meeting::prove(Connection& connection, const Json& answer) {
  const auto challenge = std::exchange(connection.challenge, std::nullopt);
  if (challenge->proven(answer, key_)) {
    welcome(connection, challenge->hello());
  } else {
    refuse(connection,
           "the proof is not that of this step and this rank: give every process the same RV_RENDEZVOUS_TOKEN");
  }
}

void Meeting::welcome(Connection& connection, const Json& hello) {
  const auto world = integer_or(hello, "world", 0);
  if (world <= 0) throw std::invalid_argument("the number of ranks is not positive");
  if (hello.value("op", "") == "watch") {
    const auto first = integer_at<int>(hello, "first"), here = integer_at<int>(hello, "here");
    if (here < 1 || first < 0 || first > world - here) throw std::invalid_argument("the ranks are outside of the run");
    for (int i = 0; i < here; ++i) connection.starts.push_back(first + i);
    return;
  }
  const auto address = connection.channel.peer_address();
  if (address.rfind("127.", 0) != 0) coordinator_.set_own_address(connection.channel.own_address());
  const auto rank = integer_at<int>(hello, "rank");
  const auto refused =
      coordinator_.join(rank, hello.value("host", ""), integer_or(hello, "pid", 0), address, Clock::now());
  if (refused.empty()) {
    connection.rank = rank;
  } else {
    refuse(connection, refused);
  }
}

void Meeting::deliver() {
  auto& outgoing = coordinator_.outgoing();
  while (!outgoing.empty()) {
    const auto [rank, message] = std::move(outgoing.front());
    outgoing.pop_front();
    for (auto& connection : connections_) {
      if (connection.rank == rank && !connection.gone) connection.channel.send(message, Clock::now() + time_to_send);
    }
  }
}

void Meeting::notify_starters(int exit_code, const std::string& reason) {
  // A process that learns of the end may begin the next run at the same port, and must not connect to this one.
  shutdown(listener_.number(), SHUT_RDWR);
  listener_.close();
  for (auto& connection : connections_) {
    if (connection.starts.empty()) continue;
    connection.channel.send({{"op", "finished"}, {"exit", exit_code}, {"reason", reason}}, Clock::now() + time_to_send);
  }
}

}  // namespace rv::workers
