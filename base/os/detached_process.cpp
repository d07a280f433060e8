#include "base/os/detached_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

namespace rv::os {

bool run_detached(const std::function<void()>& work) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child > 0) {
    ::waitpid(child, nullptr, 0);
    return true;
  }
  // A grandchild that nobody waits for, in a session of its own.
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  // Whoever waits for the caller's pipes to close must not wait for this process.
  ::close_range(3, ~0U, 0);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {0, 1, 2}) ::dup2(null, fd);
  for (const int signal : {SIGINT, SIGHUP, SIGTERM}) std::signal(signal, signal == SIGTERM ? SIG_DFL : SIG_IGN);
  try {
    work();
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace rv::os
