#include "base/os/piped_child.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/exec_words.h"

namespace rv::os {

using namespace std::chrono_literals;

PipedChild::PipedChild(const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  std::vector<char*> words = os::exec_words(argv);
  std::vector<char*> variables = os::exec_words(environment);
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  const bool pipes = ::pipe2(in.data(), O_CLOEXEC) == 0 && ::pipe2(out.data(), O_CLOEXEC) == 0;
  Descriptor its_in(in[0]);
  Descriptor its_out(out[1]);
  to_ = Descriptor(in[1]);
  from_ = Descriptor(out[0]);
  pid_ = pipes ? ::fork() : -1;
  if (pid_ < 0) throw Error("can't start a process for a forward", "close some files or processes");
  if (pid_ > 0) return;
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(its_in.number(), STDIN_FILENO);
  ::dup2(its_out.number(), STDOUT_FILENO);
  ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  ::execvpe(words[0], words.data(), environment.empty() ? environ : variables.data());
  ::_exit(127);
}

int PipedChild::wait() {
  for (const auto until = std::chrono::steady_clock::now() + 2s; std::chrono::steady_clock::now() < until;) {
    int status = 0;
    if (pid_ < 0) return -1;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
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
