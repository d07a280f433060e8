#include "cli/remote/forward/dialler.h"

#include <poll.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/remote/forward/listening_ports.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 3s;

}  // namespace

Address address_of(const std::string& bytes, int port) {
  Address address;
  if (bytes.size() == sizeof(in_addr)) {
    auto& four = reinterpret_cast<sockaddr_in&>(address.socket);
    std::memcpy(&four.sin_addr, bytes.data(), bytes.size());
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof four;
  } else if (bytes.size() == sizeof(in6_addr)) {
    auto& six = reinterpret_cast<sockaddr_in6&>(address.socket);
    std::memcpy(&six.sin6_addr, bytes.data(), bytes.size());
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof six;
  }
  return address;
}

std::optional<Address> numeric_address(const std::string& text, int port) {
  const std::string bytes = address_bytes(text);
  if (bytes.empty()) return std::nullopt;
  return address_of(bytes, port);
}

Dialler::~Dialler() {
  for (const auto& [id, call] : calls_) loop_.forget(call.socket.number());
}

void Dialler::dial(std::vector<Address> addresses, Done done) {
  const std::uint64_t id = next_++;
  Call& call = calls_[id];
  call.addresses = std::move(addresses);
  call.done = std::move(done);
  try_next(id);
}

void Dialler::try_next(std::uint64_t id) {
  Call& call = calls_.at(id);
  if (call.socket.number() >= 0) loop_.forget(call.socket.number());
  call.socket.close();
  while (call.next < call.addresses.size()) {
    const Address& address = call.addresses[call.next++];
    call.socket = os::Descriptor(::socket(address.socket.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int fd = call.socket.number();
    const int code = fd < 0 ? -1 : ::connect(fd, reinterpret_cast<const sockaddr*>(&address.socket), address.size);
    if (code != 0 && errno != EINPROGRESS) {
      call.fault = std::strerror(errno);
      call.socket.close();
      continue;
    }
    call.until = Clock::now() + patience;
    loop_.watch(
        fd, [] { return static_cast<short>(POLLOUT); },
        [this, id, fd](short) {
          int fault = 0;
          socklen_t size = sizeof fault;
          ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &size);
          finished(id, fault);
        });
    return;
  }
  const Call ended = std::move(call);
  calls_.erase(id);
  ended.done(os::Descriptor(), 0, ended.fault);
}

void Dialler::finished(std::uint64_t id, int fault) {
  Call& call = calls_.at(id);
  if (fault != 0) {
    call.fault = std::strerror(fault);
    try_next(id);
    return;
  }
  loop_.forget(call.socket.number());
  Call connected = std::move(call);
  calls_.erase(id);
  connected.done(std::move(connected.socket), connected.next - 1, "");
}

void Dialler::check_time() {
  std::vector<std::uint64_t> late;
  for (const auto& [id, call] : calls_) {
    if (call.until < Clock::now()) late.push_back(id);
  }
  for (const std::uint64_t id : late) finished(id, ETIMEDOUT);
}

}  // namespace rv::forward
