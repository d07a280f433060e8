#include "base/os/piped_child.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "base/os/child.h"
#include "base/os/pipe.h"

namespace rv::os {

using namespace std::chrono_literals;

PipedChild::PipedChild(const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  Pipe in;
  Pipe out;
  const Descriptor null = null_device();
  sigset_t none;
  ::sigemptyset(&none);
  ChildOrder order{.argv = argv,
                   .in = in.end(0),
                   .out = out.end(1),
                   .err = null.number(),
                   .default_signals = {SIGPIPE},
                   .blocked = none};
  if (!environment.empty()) order.environment = environment;
  pid_ = Child(order).pid();
  to_ = in.take_end(1);
  from_ = out.take_end(0);
}

int PipedChild::wait() {
  for (const auto until = std::chrono::steady_clock::now() + 2s; std::chrono::steady_clock::now() < until;) {
    int status = 0;
    if (pid_ < 0) return -1;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return exit_code(status);
    }
    std::this_thread::sleep_for(5ms);
  }
  return -1;
}

PipedChild::~PipedChild() {
  to_.close();
  from_.close();
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  if (wait() >= 0 || pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace rv::os
