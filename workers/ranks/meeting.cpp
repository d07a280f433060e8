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
  std::vector<Guest*> guests;
  for (auto& guest : guests_) {
    sockets.push_back({guest.channel.socket(), POLLIN, 0});
    guests.push_back(&guest);
  }
  poll(sockets.data(), sockets.size(), static_cast<int>(most.count()));
  const auto now = Clock::now();
  for (std::size_t i = 0; i < guests.size(); ++i) {
    auto& guest = *guests[i];
    if (sockets[i + 1].revents != 0) {
      const bool open = guest.channel.receive_some(guest.known() ? most_known : most_unknown);
      while (!guest.gone) {
        const auto message = guest.channel.next();
        if (!message) break;
        receive(guest, *message);
      }
      if (!open && !guest.gone) {
        guest.gone = true;
        if (guest.rank >= 0) coordinator_.disconnected(guest.rank, now);
        if (!guest.starts.empty()) coordinator_.starter_lost(guest.starts, "is gone");
      }
    }
    if (!guest.known() && now - guest.came > time_to_say_hello) guest.gone = true;
  }
  guests_.remove_if([](const Guest& guest) { return guest.gone; });
  if (sockets[0].revents != 0) accept_all();
  coordinator_.tick(now);
  deliver();
}

void Meeting::accept_all() {
  while (true) {
    os::Descriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.number() < 0) return;
    auto& guest = guests_.emplace_back();
    guest.channel = Channel(std::move(socket));
    guest.came = Clock::now();
  }
}

void Meeting::refuse(Guest& guest, const std::string& reason) {
  guest.channel.send({{"op", "refused"}, {"reason", reason}}, Clock::now() + time_to_send);
  guest.gone = true;
}

void Meeting::receive(Guest& guest, const Json& message) {
  // A connection with another protocol is refused, and so are known messages with members of the wrong type.
  try {
    if (!message.is_object()) throw std::invalid_argument("not an object");
    if (!guest.known()) {
      if (guest.challenge) {
        prove(guest, message);
      } else {
        challenge(guest, message);
      }
    } else if (guest.rank >= 0) {
      coordinator_.receive(guest.rank, message, Clock::now());
    } else if (message.value("op", "") == "process_ended") {
      const auto rank = integer_at<int>(message, "rank");
      if (std::find(guest.starts.begin(), guest.starts.end(), rank) == guest.starts.end()) return;
      coordinator_.process_ended(rank, message.value("how", "ended"), Clock::now());
    }
  } catch (const std::exception&) {
    guest.gone = true;
    if (guest.rank >= 0) coordinator_.disconnected(guest.rank, Clock::now());
  }
}

void Meeting::challenge(Guest& guest, const Json& hello) {
  try {
    guest.challenge.emplace(hello);
  } catch (const std::invalid_argument& error) {
    refuse(guest, error.what());
    return;
  }
  guest.channel.send(guest.challenge->message(key_), Clock::now() + time_to_send);
}

void Meeting::prove(Guest& guest, const Json& answer) {
  const auto challenge = std::exchange(guest.challenge, std::nullopt);
  if (challenge->proven(answer, key_)) {
    welcome(guest, challenge->hello());
  } else {
    refuse(guest, "the proof is not that of this step and this rank: give every process the same RV_RENDEZVOUS_TOKEN");
  }
}

void Meeting::welcome(Guest& guest, const Json& hello) {
  const auto world = integer_or(hello, "world", 0);
  if (world <= 0) throw std::invalid_argument("the number of ranks is not positive");
  if (hello.value("op", "") == "watch") {
    const auto first = integer_at<int>(hello, "first"), here = integer_at<int>(hello, "here");
    if (here < 1 || first < 0 || first > world - here) throw std::invalid_argument("the ranks are outside of the run");
    for (int i = 0; i < here; ++i) guest.starts.push_back(first + i);
    return;
  }
  const auto address = guest.channel.peer_address();
  if (address.rfind("127.", 0) != 0) coordinator_.set_own_address(guest.channel.own_address());
  const auto rank = integer_at<int>(hello, "rank");
  const auto refused =
      coordinator_.join(rank, hello.value("host", ""), integer_or(hello, "pid", 0), address, Clock::now());
  if (refused.empty()) {
    guest.rank = rank;
  } else {
    refuse(guest, refused);
  }
}

void Meeting::deliver() {
  auto& outgoing = coordinator_.outgoing();
  while (!outgoing.empty()) {
    const auto [rank, message] = std::move(outgoing.front());
    outgoing.pop_front();
    for (auto& guest : guests_) {
      if (guest.rank == rank && !guest.gone) guest.channel.send(message, Clock::now() + time_to_send);
    }
  }
}

void Meeting::notify_starters(int exit_code, const std::string& reason) {
  // A process that learns of the end may begin the next run at the same port, and must not connect to this one.
  shutdown(listener_.number(), SHUT_RDWR);
  listener_.close();
  for (auto& guest : guests_) {
    if (guest.starts.empty()) continue;
    guest.channel.send({{"op", "finished"}, {"exit", exit_code}, {"reason", reason}}, Clock::now() + time_to_send);
  }
}

}  // namespace rv::workers
