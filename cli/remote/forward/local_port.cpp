#include "cli/remote/forward/local_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "cli/remote/forward/dialler.h"

namespace rv::forward {

namespace {

constexpr int backlog = 512;
constexpr int first_free_for_all = 1024;  // those below are root's on most systems

/// A bound socket; none, and errno, when it can't be had.
os::Descriptor bound(int port) {
  const auto address = numeric_address("127.0.0.1", port);
  os::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  // Connections that have just ended do not keep the port.
  ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const int fd = socket.number();
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address->socket), address->size) != 0) return os::Descriptor();
  return socket;
}

}  // namespace

os::Descriptor listen_at(int port, int remote) {
  os::Descriptor socket = bound(port);
  if (socket.number() >= 0 && ::listen(socket.number(), backlog) == 0) return socket;
  const int fault = errno;
  if (fault == EADDRINUSE) {
    throw Error(fmt::format("port {} of this machine is in use", port),
                fmt::format("port {0} is free: write {0}:{1}; rv forward --list shows what rv forwards",
                            free_port(port), remote),
                ExitCode::usage);
  }
  throw Error(fmt::format("port {} of this machine can't be used: {}", port, std::strerror(fault)),
              fmt::format("use a higher port: {}:{}", free_port(port + 8000), remote), ExitCode::usage);
}

bool port_is_taken(int port) {
  const os::Descriptor socket = bound(port);
  return socket.number() < 0 || ::listen(socket.number(), 1) != 0;
}

int free_port(int wanted) {
  constexpr int near = 100;
  for (int port = std::max(wanted, first_free_for_all); port < wanted + near && port <= 65535; ++port) {
    if (!port_is_taken(port)) return port;
  }
  const os::Descriptor socket = bound(0);  // the system's choice
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

}  // namespace rv::forward
