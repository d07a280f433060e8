#include "workers/network/tcp_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "workers/ranks/handshake.h"
#include "workers/ranks/token.h"

namespace rv::workers {
namespace {

using Clock = TcpLink::Clock;

constexpr std::size_t chunk = std::size_t{1} << 20, ping_bytes = 64;
/// After this many seconds without a byte, the other side counts as lost.
constexpr int silence_s = 10;
/// The same limit in a handshake: a foreign connection that sends nothing must not use up the time in which the other
/// rank can connect.
constexpr int handshake_silence_s = 1;
/// Sent before the connector's nonce, to detect another version.
constexpr std::string_view greeting = "rv link 2\n";
constexpr std::size_t nonce_digits = 64, proof_digits = 64;

[[noreturn]] void fault(const char* what) {
  const bool late = errno == EAGAIN;
  throw std::runtime_error(
      fmt::format("{}: {}", what, late ? fmt::format("received nothing for {} s", silence_s) : strerror(errno)));
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 1000000));
}

void send_whole(int socket, const char* bytes, std::size_t count) {
  for (std::size_t sent = 0; sent < count;) {
    const auto n = ::send(socket, bytes + sent, count - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fault("sending");
    sent += static_cast<std::size_t>(n);
  }
}

/// False if the other side closes the connection first.
bool receive_whole(int socket, char* bytes, std::size_t count) {
  for (std::size_t got = 0; got < count;) {
    const auto n = recv(socket, bytes + got, count - got, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fault("receiving");
    if (n == 0) return false;
    got += static_cast<std::size_t>(n);
  }
  return true;
}

void allow_silence(int socket, int seconds) {
  const timeval patience{seconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/// Data is sent in frames of `chunk` bytes; the first byte says whether another one follows.
constexpr char more = 1, last = 0;

void send_frames(int socket, double seconds) {
  std::vector<char> frame(chunk, 'x');
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    frame[0] = Clock::now() < end ? more : last;
    send_whole(socket, frame.data(), frame.size());
  } while (frame[0] == more);
}

double receive_frames(int socket, Clock::time_point& first) {
  std::vector<char> frame(chunk);
  double bytes = 0;
  do {
    if (!receive_whole(socket, frame.data(), 1))
      throw std::runtime_error("receiving: the other side closed the connection");
    if (bytes == 0) first = Clock::now();
    if (!receive_whole(socket, frame.data() + 1, frame.size() - 1)) {
      throw std::runtime_error("receiving: the other side closed the connection");
    }
    bytes += static_cast<double>(chunk);
  } while (frame[0] == more);
  return bytes;
}

/// Runs `work` for each socket in its own thread; rethrows the first exception.
void for_each_stream(const std::vector<os::Descriptor>& sockets, const std::function<void(std::size_t)>& work) {
  std::mutex mutex;
  std::exception_ptr trouble;
  const auto guarded = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      trouble = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < sockets.size(); ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (auto& thread : threads) thread.join();
  if (trouble) std::rethrow_exception(trouble);
}

os::Descriptor connected(const sockaddr_in& target, Clock::time_point deadline) {
  os::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.number() < 0) fault("making a socket");
  int error = 0;
  if (connect(socket.number(), reinterpret_cast<const sockaddr*>(&target), sizeof target) != 0) {
    error = errno;
    pollfd waiting{socket.number(), POLLOUT, 0};
    socklen_t size = sizeof error;
    if (error == EINPROGRESS) {
      error = poll(&waiting, 1, milliseconds_until(deadline)) <= 0 ? ETIMEDOUT : 0;
      if (error == 0 && getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    }
  }
  if (error == 0) return socket;
  errno = error;
  fault("connecting");
}

}  // namespace

void TcpLink::add(os::Descriptor owned) {
  const int socket = owned.number();
  sockets_.push_back(std::move(owned));
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK);
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  allow_silence(socket, silence_s);
}

bool TcpLink::prove(int socket, const std::string& key) {
  const auto nonce = fresh_nonce(), hello = std::string(greeting) + nonce;
  send_whole(socket, hello.data(), hello.size());
  std::string answer(nonce_digits + proof_digits, '\0');
  if (!receive_whole(socket, answer.data(), answer.size())) return false;
  const auto theirs = answer.substr(0, nonce_digits);
  if (!same_secret(answer.substr(nonce_digits), proof_of(key, Side::listener, nonce, theirs, greeting))) return false;
  const auto proof = proof_of(key, Side::connector, nonce, theirs, greeting);
  send_whole(socket, proof.data(), proof.size());
  char welcome = 0;
  return receive_whole(socket, &welcome, 1);
}

bool TcpLink::proven(int socket, const std::string& key) {
  std::string hello(greeting.size() + nonce_digits, '\0');
  if (!receive_whole(socket, hello.data(), hello.size()) || !hello.starts_with(greeting)) return false;
  const auto theirs = hello.substr(greeting.size()), nonce = fresh_nonce();
  const auto answer = nonce + proof_of(key, Side::listener, theirs, nonce, greeting);
  send_whole(socket, answer.data(), answer.size());
  std::string proof(proof_digits, '\0');
  if (!receive_whole(socket, proof.data(), proof.size())) return false;
  if (!same_secret(proof, proof_of(key, Side::connector, theirs, nonce, greeting))) return false;
  send_whole(socket, "!", 1);
  return true;
}

TcpLink TcpLink::to(const std::string& address, int port, const std::string& key, int streams,
                    Clock::time_point deadline) {
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, address.c_str(), &target.sin_addr) != 1) {
    throw std::runtime_error(fmt::format("\"{}\" is not an IPv4 address", address));
  }
  TcpLink link;
  for (int i = 0; i < streams; ++i) {
    link.add(connected(target, deadline));
    if (!prove(link.sockets_.back().number(), key)) {
      throw std::runtime_error("connecting: another program, or another version of rv-io, answers there");
    }
  }
  return link;
}

TcpLink TcpLink::from(int listener, const std::string& key, int streams, Clock::time_point deadline) {
  TcpLink link;
  while (static_cast<int>(link.sockets_.size()) < streams) {
    pollfd waiting{listener, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds_until(deadline)) <= 0) {
      errno = ETIMEDOUT;
      fault("waiting for a connection");
    }
    os::Descriptor accepted(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted.number() < 0) continue;
    const int socket = accepted.number();
    link.add(std::move(accepted));
    bool right = false;
    try {
      allow_silence(socket, handshake_silence_s);
      right = proven(socket, key);
      allow_silence(socket, silence_s);
    } catch (const std::runtime_error&) {
      right = false;  // a foreign connection that sends nothing
    }
    if (!right) link.sockets_.pop_back();
  }
  return link;
}

Transfer TcpLink::send(double seconds) {
  for_each_stream(sockets_, [&](std::size_t i) { send_frames(sockets_[i].number(), seconds); });
  Transfer stretch;
  std::array<char, sizeof stretch> counted{};
  if (!receive_whole(sockets_[0].number(), counted.data(), counted.size())) {
    throw std::runtime_error("receiving: the other side closed the connection");
  }
  std::memcpy(&stretch, counted.data(), counted.size());
  return stretch;
}

Transfer TcpLink::receive() {
  std::vector<double> bytes(sockets_.size());
  std::vector<Clock::time_point> begins(sockets_.size());
  for_each_stream(sockets_, [&](std::size_t i) { bytes[i] = receive_frames(sockets_[i].number(), begins[i]); });
  Transfer stretch;
  for (const double one : bytes) stretch.bytes += one;
  stretch.seconds =
      std::chrono::duration<double>(Clock::now() - *std::min_element(begins.begin(), begins.end())).count();
  std::array<char, sizeof stretch> counted{};
  std::memcpy(counted.data(), &stretch, counted.size());
  send_whole(sockets_[0].number(), counted.data(), counted.size());
  return stretch;
}

std::vector<double> TcpLink::ping(int times) {
  std::array<char, ping_bytes> bytes{};
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    const auto begin = Clock::now();
    send_whole(sockets_[0].number(), bytes.data(), bytes.size());
    if (!receive_whole(sockets_[0].number(), bytes.data(), bytes.size())) {
      throw std::runtime_error("receiving: the other side closed the connection");
    }
    all.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return all;
}

void TcpLink::answer_pings(int times) {
  std::array<char, ping_bytes> bytes{};
  for (int i = 0; i < times; ++i) {
    if (!receive_whole(sockets_[0].number(), bytes.data(), bytes.size())) {
      throw std::runtime_error("receiving: the other side closed the connection");
    }
    send_whole(sockets_[0].number(), bytes.data(), bytes.size());
  }
}

}  // namespace rv::workers
