#include "cli/attached.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "planner/error.h"

namespace rv::cli {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const auto& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

}  // namespace

int run_attached(const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  std::fflush(nullptr);
  struct sigaction ignore = {};
  struct sigaction before_interrupt = {};
  struct sigaction before_quit = {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGINT, &ignore, &before_interrupt);
  ::sigaction(SIGQUIT, &ignore, &before_quit);
  const pid_t child = ::fork();
  if (child < 0) throw Error("can't start a process: the system refuses fork", "close some programs and try again");
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGQUIT, SIG_DFL);
    const auto words = pointers(argv);
    const auto variables = pointers(environment);
    ::execvpe(words[0], words.data(), variables.data());
    const int reason = errno;
    std::fprintf(stderr, "rv: can't run %s: %s\n", words[0], std::strerror(reason));
    ::_exit(reason == ENOENT ? 127 : 126);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  ::sigaction(SIGINT, &before_interrupt, nullptr);
  ::sigaction(SIGQUIT, &before_quit, nullptr);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace rv::cli
