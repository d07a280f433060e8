#include "cli/remote/forward/channels.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>
#include <vector>

namespace rv::forward {

Channels::Channels(os::PollLoop& loop, Send send, MayRead may_read)
    : loop_(loop), send_(std::move(send)), may_read_(std::move(may_read)) {}

void Channels::add(std::uint32_t channel, os::Descriptor socket, bool opened) {
  const int fd = socket.number();
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Connection& connection = connections_[channel];
  connection.socket = std::move(socket);
  connection.opened = opened;
  loop_.watch(
      fd, [this, &connection] { return wants(connection); }, [this, channel](short events) { serve(channel, events); });
}

bool Channels::take(const Frame& frame) {
  const auto found = connections_.find(frame.channel);
  if (found == connections_.end()) return false;
  Connection& connection = found->second;
  switch (frame.kind) {
    case FrameKind::opened:
      connection.opened = true;
      break;
    case FrameKind::data:
      // An end that sends more than there is room for would fill this machine's memory.
      if (connection.waiting.size() + frame.payload.size() > window) {
        break_off(frame.channel);
        break;
      }
      connection.waiting += frame.payload;
      break;
    case FrameKind::taken: {
      std::size_t count = 0;
      std::from_chars(frame.payload.data(), frame.payload.data() + frame.payload.size(), count);
      if (count > window - connection.room) {
        break_off(frame.channel);  // more than was sent to it
        break;
      }
      connection.room += count;
      break;
    }
    case FrameKind::eof:
      connection.no_more = true;
      write_some(frame.channel, connection);
      break;
    case FrameKind::refused:
    case FrameKind::reset:
      reset(frame.channel);
      break;
    default:
      return false;
  }
  return true;
}

short Channels::wants(const Connection& connection) const {
  int events = connection.waiting.empty() ? 0 : POLLOUT;
  if (connection.opened && !connection.read_to_end && connection.room > 0 && may_read_()) events |= POLLIN;
  return static_cast<short>(events);
}

void Channels::serve(std::uint32_t channel, short events) {
  const auto found = connections_.find(channel);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  // The next operation reports a broken connection.
  if ((events & POLLOUT) != 0 || ((events & POLLERR) != 0 && !connection.waiting.empty())) {
    write_some(channel, connection);
    if (!connections_.contains(channel)) return;
  }
  if ((events & ~POLLOUT) != 0 && (wants(connection) & POLLIN) != 0) read_some(channel, connection);
}

void Channels::read_some(std::uint32_t channel, Connection& connection) {
  std::array<char, longest_part> buffer;
  const ssize_t count = ::read(connection.socket.number(), buffer.data(), std::min(buffer.size(), connection.room));
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count < 0) {
    break_off(channel);
  } else if (count == 0) {
    connection.read_to_end = true;
    tell(FrameKind::eof, channel);
    close_when_done(channel);
  } else {
    connection.room -= static_cast<std::size_t>(count);
    tell(FrameKind::data, channel, std::string(buffer.data(), static_cast<std::size_t>(count)));
  }
}

void Channels::write_some(std::uint32_t channel, Connection& connection) {
  if (!connection.waiting.empty()) {
    const ssize_t count =
        ::send(connection.socket.number(), connection.waiting.data(), connection.waiting.size(), MSG_NOSIGNAL);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count < 0) {
      break_off(channel);
      return;
    }
    connection.waiting.erase(0, static_cast<std::size_t>(count));
    connection.passed_on += static_cast<std::size_t>(count);
    if (connection.passed_on >= window / 4) {
      tell(FrameKind::taken, channel, std::to_string(std::exchange(connection.passed_on, 0)));
    }
  }
  if (connection.no_more && connection.waiting.empty() && !connection.written_to_end) {
    connection.written_to_end = true;
    ::shutdown(connection.socket.number(), SHUT_WR);
    close_when_done(channel);
  }
}

void Channels::close_when_done(std::uint32_t channel) {
  const Connection& connection = connections_.at(channel);
  if (!connection.read_to_end || !connection.written_to_end) return;
  loop_.forget(connection.socket.number());
  connections_.erase(channel);
}

void Channels::reset(std::uint32_t channel) {
  const auto found = connections_.find(channel);
  const int fd = found->second.socket.number();
  const linger at_once{.l_onoff = 1, .l_linger = 0};  // the peer sees a broken connection
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  loop_.forget(fd);
  connections_.erase(found);
}

void Channels::break_off(std::uint32_t channel) {
  tell(FrameKind::reset, channel);
  reset(channel);
}

void Channels::reset_all() {
  while (!connections_.empty()) reset(connections_.begin()->first);
}

void Channels::tell(FrameKind kind, std::uint32_t channel, std::string payload) {
  send_({.kind = kind, .channel = channel, .payload = std::move(payload)});
}

}  // namespace rv::forward
