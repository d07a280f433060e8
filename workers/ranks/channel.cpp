#include "workers/ranks/channel.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

#include "shared/documents/json_dump.h"
#include "shared/documents/json_or_discard.h"

namespace rv::workers {
namespace {

constexpr std::size_t header = 4;

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 1000000));
}

std::size_t length_of(const std::string& bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < header; ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

std::string address_text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* number = nullptr;
  if (address.ss_family == AF_INET) number = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  if (address.ss_family == AF_INET6) number = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  if (number == nullptr || inet_ntop(address.ss_family, number, text.data(), text.size()) == nullptr) return "";
  const std::string whole = text.data();
  // A dual-stack socket returns IPv4 addresses in this form.
  return whole.rfind("::ffff:", 0) == 0 ? whole.substr(7) : whole;
}

/// Returns a connected socket, or an invalid one with errno set.
os::Descriptor try_connect(const addrinfo& target, Clock::time_point deadline) {
  os::Descriptor socket(::socket(target.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.number() < 0) return socket;
  int error = 0;
  if (connect(socket.number(), target.ai_addr, target.ai_addrlen) != 0) {
    error = errno;
    if (error == EINPROGRESS) {
      pollfd waiting{socket.number(), POLLOUT, 0};
      const auto limit = std::min(deadline, Clock::now() + std::chrono::seconds(3));
      socklen_t size = sizeof error;
      if (poll(&waiting, 1, milliseconds_until(limit)) <= 0) {
        error = ETIMEDOUT;
      } else if (getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        error = errno;
      }
    }
  }
  if (error == 0) return socket;
  socket.close();
  errno = error;
  return socket;
}

}  // namespace

Channel::Channel(os::Descriptor socket) : socket_(std::move(socket)) {
  const int on = 1;
  setsockopt(socket_.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(socket_.number(), F_SETFL, fcntl(socket_.number(), F_GETFL) | O_NONBLOCK);
}

bool Channel::send(const Json& message, Clock::time_point deadline) {
  if (!open()) return false;
  const auto text = json_dump(message);
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(text.size() >> shift & 0xff);
  bytes += text;
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const auto n = ::send(socket_.number(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n > 0) {
      sent += static_cast<std::size_t>(n);
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    pollfd waiting{socket_.number(), POLLOUT, 0};
    if (n < 0 && errno == EAGAIN && Clock::now() < deadline && poll(&waiting, 1, milliseconds_until(deadline)) >= 0) {
      continue;
    }
    shutdown(socket_.number(), SHUT_RDWR);  // the other thread may be polling it; its owner closes it
    return false;
  }
  return true;
}

bool Channel::receive_some(std::size_t most) {
  if (!open()) return false;
  std::array<char, 65536> buffer;
  while (true) {
    const auto n = recv(socket_.number(), buffer.data(), buffer.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(n));
    if (received_.size() > most + header) break;
  }
  return received_.size() < header || length_of(received_) <= most;
}

std::optional<Json> Channel::next() {
  if (received_.size() < header) return std::nullopt;
  const auto length = length_of(received_);
  if (received_.size() < header + length) return std::nullopt;
  auto message = parse_json_or_discard<Json>(std::string_view(received_).substr(header, length));
  received_.erase(0, header + length);
  return message;
}

std::string Channel::peer_address() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return getpeername(socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0 ? address_text(address) : "";
}

std::string Channel::own_address() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return getsockname(socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0 ? address_text(address) : "";
}

os::Descriptor listen_on(int& port, bool loopback) {
  os::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.number() < 0) throw std::runtime_error(fmt::format("cannot make a socket: {}", strerror(errno)));
  const int on = 1;
  setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(loopback ? INADDR_LOOPBACK : INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (bind(socket.number(), plain, size) != 0 || listen(socket.number(), 1024) != 0 ||
      getsockname(socket.number(), plain, &size) != 0) {
    throw std::runtime_error(
        fmt::format("cannot listen on port {}: {}; choose another with --port or RV_RENDEZVOUS_PORT, the same for "
                    "every rank",
                    port, strerror(errno)));
  }
  port = ntohs(address.sin_port);
  return socket;
}

Channel connect_to(const std::string& host, int port, Clock::time_point deadline) {
  std::string last = "not tried";
  auto pause = std::chrono::milliseconds(20);
  while (true) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int code = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); code != 0) {
      last = gai_strerror(code);
    } else {
      for (const auto* target = found; target != nullptr; target = target->ai_next) {
        auto socket = try_connect(*target, deadline);
        if (socket.number() >= 0) {
          freeaddrinfo(found);
          return Channel(std::move(socket));
        }
        last = strerror(errno);
      }
      freeaddrinfo(found);
    }
    if (Clock::now() + pause >= deadline) {
      throw std::runtime_error(
          fmt::format("cannot reach rank 0's process at {}:{} within the deadline: {}", host, port, last));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(500));
  }
}

}  // namespace rv::workers
