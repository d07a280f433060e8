#include "base/os/pipe.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>

#include "base/error.h"
#include "shared/system/pipe_ends.h"

namespace rv::os {
Pipe::Pipe() {
  auto pipe = make_pipe();
  if (!pipe) {
    throw Error(std::string("can't create a pipe: ") + std::strerror(errno), "close some programs and try again");
  }
  ends_ = {std::move(pipe->reads), std::move(pipe->writes)};
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
