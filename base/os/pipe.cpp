#include "base/os/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

#include "base/error.h"

namespace rv::os {

Pipe::Pipe() {
  if (::pipe2(ends_, O_CLOEXEC) != 0) fail();
  // A caller without stdin would get 0 here, and the child's dup2 would overwrite one end with another.
  for (int& end : ends_) {
    if (end > 2) continue;
    const int higher = ::fcntl(end, F_DUPFD_CLOEXEC, 3);
    if (higher < 0) fail();
    ::close(end);
    end = higher;
  }
}

Pipe::~Pipe() {
  close_end(0);
  close_end(1);
}

void Pipe::close_end(int which) {
  if (ends_[which] >= 0) ::close(ends_[which]);
  ends_[which] = -1;
}

void Pipe::fail() {
  const int reason = errno;
  close_end(0);
  close_end(1);
  throw Error(std::string("can't make a pipe: ") + std::strerror(reason), "close some programs and try again");
}

HoldPipeSignal::HoldPipeSignal() {
  ::sigemptyset(&pipe_);
  ::sigaddset(&pipe_, SIGPIPE);
  sigset_t pending;
  ::sigpending(&pending);
  was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

HoldPipeSignal::~HoldPipeSignal() {
  const timespec at_once = {};
  if (!was_pending_) ::sigtimedwait(&pipe_, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace rv::os
