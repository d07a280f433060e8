#include "base/os/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

#include "base/error.h"

namespace rv::os {
namespace {

[[noreturn]] void fail() {
  throw Error(std::string("can't make a pipe: ") + std::strerror(errno), "close some programs and try again");
}

}  // namespace

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail();
  ends_ = {Descriptor(ends[0]), Descriptor(ends[1])};
  // A caller without stdin would get 0 here, and the child's dup2 would overwrite one end with another.
  for (Descriptor& end : ends_) {
    if (end.number() > STDERR_FILENO) continue;
    Descriptor higher(::fcntl(end.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (higher.number() < 0) fail();
    end = std::move(higher);
  }
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
