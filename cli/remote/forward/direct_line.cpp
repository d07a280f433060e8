#include "cli/remote/forward/direct_line.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>
#include <utility>

#include "base/os/random_bytes.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;
using Clock = AwaitedSecret::Clock;

constexpr auto offer_time = 30s;
constexpr auto word_time = 3s;
constexpr std::size_t most_callers = 16;  // strangers may knock

std::string new_word() {
  return os::random_hex(16);
}

void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// A new connection has room for a word.
bool show(int fd, const std::string& word) {
  return ::send(fd, word.data(), word.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(word.size());
}

/// On every address of this machine, at a port that was free. IPv6 takes IPv4 as well, where the kernel has it.
os::Descriptor listening_anywhere() {
  for (const int family : {AF_INET6, AF_INET}) {
    os::Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.number() < 0) continue;
    const int off = 0;
    if (family == AF_INET6) ::setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    const Address any = *numeric_address(family == AF_INET6 ? "::" : "0.0.0.0", 0);
    if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&any.socket), any.size) != 0) continue;
    if (::listen(socket.number(), static_cast<int>(most_callers)) == 0) return socket;
  }
  return os::Descriptor();
}

int port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  // The port is at the same place in both kinds.
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

os::PollLoop::Wants to_read() {
  return [] { return static_cast<short>(POLLIN); };
}

}  // namespace

std::string to_text(const LineOffer& offer) {
  return fmt::format("{} {} {}", offer.port, offer.word, offer.answer);
}

LineOffer line_offer(const std::string& text) {
  std::istringstream words(text);
  LineOffer offer;
  std::string more;
  if (!(words >> offer.port >> offer.word >> offer.answer) || words >> more) return {};
  return offer;
}

AwaitedSecret::SecretState AwaitedSecret::listen(const std::string& word) {
  std::array<char, 64> buffer;
  // No byte more: what follows is not part of the word.
  const std::size_t missing = std::min(word.size() - heard.size(), buffer.size());
  const ssize_t count = ::recv(socket.number(), buffer.data(), missing, 0);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return SecretState::more;
  if (count <= 0) return SecretState::wrong;
  heard.append(buffer.data(), static_cast<std::size_t>(count));
  if (heard.size() < word.size()) return SecretState::more;
  return heard == word ? SecretState::right : SecretState::wrong;
}

LineListener::LineListener(os::PollLoop& loop, Taken taken)
    : loop_(loop), taken_(std::move(taken)), socket_(listening_anywhere()), until_(Clock::now() + offer_time) {
  const int port = socket_.number() < 0 ? 0 : port_of(socket_.number());
  if (port == 0) return;
  offer_ = {.port = port, .word = new_word(), .answer = new_word()};
  loop_.watch(
      socket_.number(), [this] { return static_cast<short>(callers_.size() < most_callers ? POLLIN : 0); },
      [this](short) { accept_one(); });
}

void LineListener::accept_one() {
  os::Descriptor socket(::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  const int fd = socket.number();
  if (fd < 0) return;
  callers_[fd] = {.socket = std::move(socket), .heard = "", .until = Clock::now() + word_time};
  loop_.watch(fd, to_read(), [this, fd](short) { hear(fd); });
}

void LineListener::hear(int fd) {
  AwaitedSecret& caller = callers_.at(fd);
  const auto heard = caller.listen(offer_.word);
  if (heard == AwaitedSecret::SecretState::more) return;
  if (heard == AwaitedSecret::SecretState::wrong || !show(fd, offer_.answer)) {
    drop(fd);
    return;
  }
  os::Descriptor socket = std::move(caller.socket);
  loop_.forget(fd);
  callers_.erase(fd);
  stop();
  send_at_once(fd);
  taken_(std::move(socket));
}

void LineListener::drop(int fd) {
  loop_.forget(fd);
  callers_.erase(fd);
}

void LineListener::stop() {
  while (!callers_.empty()) drop(callers_.begin()->first);
  if (socket_.number() >= 0) loop_.forget(socket_.number());
  socket_.close();
}

void LineListener::check_time() {
  const auto now = Clock::now();
  std::vector<int> late;
  for (const auto& [fd, caller] : callers_) {
    if (caller.until < now) late.push_back(fd);
  }
  for (const int fd : late) drop(fd);
  if (until_ < now) stop();
}

LineCaller::LineCaller(os::PollLoop& loop, std::vector<Address> addresses, LineOffer offer, Done done)
    : loop_(loop), offer_(std::move(offer)), done_(std::move(done)), dialler_(loop) {
  dialler_.dial(std::move(addresses), [this](os::Descriptor socket, std::size_t, const std::string&) {
    const int fd = socket.number();
    if (fd < 0 || !show(fd, offer_.word)) {
      done_(os::Descriptor());
      return;
    }
    send_at_once(fd);
    called_ = {.socket = std::move(socket), .heard = "", .until = Clock::now() + word_time};
    loop_.watch(fd, to_read(), [this](short) { hear(); });
  });
}

void LineCaller::hear() {
  const auto heard = called_.listen(offer_.answer);
  if (heard == AwaitedSecret::SecretState::more) return;
  loop_.forget(called_.socket.number());
  os::Descriptor socket = std::move(called_.socket);
  if (heard == AwaitedSecret::SecretState::wrong) socket.close();
  done_(std::move(socket));
}

void LineCaller::hang_up() {
  if (called_.socket.number() >= 0) loop_.forget(called_.socket.number());
  called_.socket.close();
}

void LineCaller::check_time() {
  dialler_.check_time();
  if (called_.socket.number() < 0 || called_.until >= Clock::now()) return;
  hang_up();
  done_(os::Descriptor());
}

}  // namespace rv::forward
