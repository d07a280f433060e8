#include "workers/system/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace rv::workers {
namespace {

constexpr int not_there = 127, not_executable = 126;

/// For exec: ends with a null pointer and points into `words`, which must outlive it.
std::vector<char*> exec_words(std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (auto& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

/// This process's environment with the order's variables in it.
std::vector<std::string> environment_of(const ChildOrder& order) {
  std::vector<std::string> all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view line = *one;
    bool replaced = false;
    for (const auto& [name, value] : order.variables) replaced = replaced || line.substr(0, line.find('=')) == name;
    if (!replaced) all.emplace_back(line);
  }
  for (const auto& [name, value] : order.variables) all.push_back(std::string(name).append("=").append(value));
  return all;
}

void take_streams(std::array<int, 3> streams) {
  // A caller without standard streams may have opened one of these in the place of another.
  for (int place = 0; place < 3; ++place) {
    int& stream = streams[static_cast<std::size_t>(place)];
    if (stream >= 0 && stream < 3 && stream != place) stream = ::fcntl(stream, F_DUPFD_CLOEXEC, 3);
  }
  for (int place = 0; place < 3; ++place) {
    const int stream = streams[static_cast<std::size_t>(place)];
    if (stream == place) ::fcntl(stream, F_SETFD, 0);
    if (stream >= 0 && stream != place) ::dup2(stream, place);
  }
}

[[noreturn]] void do_work(const std::function<int()>& work) {
  int code = 1;
  try {
    code = work();
  } catch (...) {
    // It must not go on as a second one of its starter.
  }
  std::fflush(nullptr);
  ::_exit(code);
}

/// In the child. `words` and `variables` are ready for exec: another thread may have held malloc's lock at the fork.
[[noreturn]] void become(const ChildOrder& order, char* const* words, char* const* variables, pid_t starter) {
  if (order.own_session) ::setsid();
  take_streams({order.in, order.out, order.err});
  if (order.dies_with_starter) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != starter) ::_exit(not_there);  // it died before that was said
  }
  for (const int signal : order.default_signals) ::signal(signal, SIG_DFL);
  for (const int signal : order.ignored_signals) ::signal(signal, SIG_IGN);
  if (order.argv.empty()) do_work(order.work);
  const char* const program = order.program.empty() ? words[0] : order.program.c_str();
  ::execvpe(program, words, variables);
  if (!order.tells_why) ::_exit(not_there);
  const int reason = errno;
  ::dprintf(STDERR_FILENO, "%s: %s\n", program, std::strerror(reason));
  ::_exit(reason == ENOENT ? not_there : not_executable);
}

}  // namespace

pid_t start_child(const ChildOrder& order) {
  auto argv = order.argv;
  auto environment = argv.empty() ? std::vector<std::string>() : environment_of(order);
  const auto words = exec_words(argv), variables = exec_words(environment);
  // What waits to be written here must not be written once more by the child's work.
  if (argv.empty()) std::fflush(nullptr);
  const pid_t starter = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(order, words.data(), variables.data(), starter);
  return child;
}

std::optional<int> wait_for(pid_t child) {
  int status = 0;
  pid_t got = -1;
  do got = ::waitpid(child, &status, 0);
  while (got < 0 && errno == EINTR);
  return got == child ? std::optional(status) : std::nullopt;
}

}  // namespace rv::workers
