#include "cli/remote/forward/frame_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"

namespace rv::forward {

namespace {

constexpr std::size_t much = 1 << 20;

void make_non_blocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

bool later() {
  return errno == EINTR || errno == EAGAIN;
}

}  // namespace

FramePipe::FramePipe(os::PollLoop& loop, int in, int out, Receive receive)
    : loop_(loop), in_(in), out_(out), receive_(std::move(receive)) {
  make_non_blocking(in_);
  make_non_blocking(out_);
  loop_.watch(
      in_, [this] { return static_cast<short>(ended_ ? 0 : POLLIN); }, [this](short) { read_some(); });
  loop_.watch(
      out_, [this] { return static_cast<short>(ended_ || waiting_.empty() ? 0 : POLLOUT); },
      [this](short) { write_some(); });
}

FramePipe::~FramePipe() {
  loop_.forget(in_);
  loop_.forget(out_);
}

void FramePipe::greet() {
  waiting_ += greeting;
}

void FramePipe::send(const Frame& frame) {
  if (!ended_) append_frame(waiting_, frame);
}

bool FramePipe::congested() const {
  return waiting_.size() - written_ > much;
}

void FramePipe::flush() {
  for (int tries = 0; tries < 10 && !ended_ && !waiting_.empty(); ++tries) {
    pollfd ready{.fd = out_, .events = POLLOUT, .revents = 0};
    if (::poll(&ready, 1, 100) > 0) write_some();
  }
}

void FramePipe::read_some() {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(in_, buffer.data(), buffer.size());
  if (count < 0 && later()) return;
  if (count <= 0) {
    ended_ = true;
    return;
  }
  try {
    reader_.feed({buffer.data(), static_cast<std::size_t>(count)});
    while (const auto frame = reader_.next()) receive_(*frame);
  } catch (const Error&) {
    ended_ = true;
  }
}

void FramePipe::write_some() {
  const ssize_t count = ::write(out_, waiting_.data() + written_, waiting_.size() - written_);
  if (count < 0 && later()) return;
  if (count < 0) {
    ended_ = true;
    return;
  }
  written_ += static_cast<std::size_t>(count);
  if (written_ == waiting_.size() || written_ > much) {
    waiting_.erase(0, written_);
    written_ = 0;
  }
}

}  // namespace rv::forward
