#include "shared/system/start_child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace rv::os {
namespace {

constexpr int not_there = 127, not_executable = 126;

/// For exec: ends with a null pointer and points into `words`, which must outlive it.
std::vector<char*> exec_words(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) all.emplace_back(*one);
  return all;
}

/// The order's environment with its variables in it.
std::vector<std::string> environment_of(const ChildOrder& order) {
  auto all = order.environment ? *order.environment : own_environment();
  for (const auto& variable : order.variables) {
    std::erase_if(all, [&](std::string_view line) { return line.substr(0, line.find('=')) == variable.first; });
    all.push_back(std::string(variable.first).append("=").append(variable.second));
  }
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

[[noreturn]] void do_work(const ChildOrder& order) {
  int code = 1;
  try {
    code = order.work ? order.work() : 0;
  } catch (...) {
    // It must not go on as a second one of its starter.
  }
  std::fflush(nullptr);
  ::_exit(code);
}

[[noreturn]] void execute(const ChildOrder& order, char* const* words, char* const* variables) {
  const char* const program = order.program.empty() ? words[0] : order.program.c_str();
  StartFault fault{.in_folder = !order.folder.empty() && ::chdir(order.folder.c_str()) != 0};
  if (!fault.in_folder) ::execvpe(program, words, variables);
  fault.reason = errno;
  if (order.fault_pipe >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(order.fault_pipe, &fault, sizeof fault);
  }
  if (!order.prints_fault) ::_exit(not_there);
  const char* const what = fault.in_folder ? order.folder.c_str() : program;
  ::dprintf(STDERR_FILENO, "%s: %s\n", what, std::strerror(fault.reason));
  ::_exit(fault.reason == ENOENT ? not_there : not_executable);
}

/// In the child. `words` and `variables` are ready for exec: another thread may have held malloc's lock at the fork.
[[noreturn]] void become(const ChildOrder& order, char* const* words, char* const* variables, pid_t starter) {
  if (order.group == Group::own) ::setpgid(0, 0);
  if (order.group == Group::own_session) ::setsid();
  take_streams({order.in, order.out, order.err});
  if (order.death_signal != 0) {
    ::prctl(PR_SET_PDEATHSIG, order.death_signal);
    if (::getppid() != starter) ::_exit(not_there);  // it died before that was said
  }
  for (const int number : order.default_signals) std::signal(number, SIG_DFL);
  for (const int number : order.ignored_signals) std::signal(number, SIG_IGN);
  if (order.blocked) ::sigprocmask(SIG_SETMASK, &*order.blocked, nullptr);
  try {
    if (order.first_work) order.first_work();
  } catch (...) {
    ::_exit(1);
  }
  if (order.argv.empty()) do_work(order);
  execute(order, words, variables);
}

}  // namespace

pid_t start_child(const ChildOrder& order) {
  const auto environment = order.argv.empty() ? std::vector<std::string>() : environment_of(order);
  const auto words = exec_words(order.argv), variables = exec_words(environment);
  // What waits to be written here must not be written once more by the child's work.
  if (order.argv.empty()) std::fflush(nullptr);
  const pid_t starter = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(order, words.data(), variables.data(), starter);
  // Both sides set the group, so that it exists before either goes on.
  if (child > 0 && order.group == Group::own) ::setpgid(child, child);
  return child;
}

std::optional<int> wait_for(pid_t child) {
  int status = 0;
  pid_t got = -1;
  do got = ::waitpid(child, &status, 0);
  while (got < 0 && errno == EINTR);
  return got == child ? std::optional(status) : std::nullopt;
}

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace rv::os
