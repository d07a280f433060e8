#include "base/os/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/os/pipe.h"

namespace rv::os {
namespace {

/// For exec: ends with a null pointer and points into `words`, which must outlive it.
std::vector<char*> exec_words(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
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

StartFault execute(const ChildOrder& order, const std::vector<char*>& words, const std::vector<char*>& variables) {
  if (!order.folder.empty() && ::chdir(order.folder.c_str()) != 0) return {.reason = errno, .in_folder = true};
  ::execvpe(words[0], words.data(), order.environment ? variables.data() : environ);
  return {.reason = errno, .in_folder = false};
}

[[noreturn]] void become(const ChildOrder& order, const std::vector<char*>& words, const std::vector<char*>& variables,
                         int trouble) {
  if (order.group == Group::own) ::setpgid(0, 0);
  if (order.group == Group::own_session) ::setsid();
  take_streams({order.in, order.out, order.err});
  for (const int number : order.default_signals) std::signal(number, SIG_DFL);
  for (const int number : order.ignored_signals) std::signal(number, SIG_IGN);
  if (order.blocked) ::sigprocmask(SIG_SETMASK, &*order.blocked, nullptr);
  try {
    if (order.first_work) order.first_work();
  } catch (...) {
    ::_exit(1);
  }
  if (order.argv.empty()) ::_exit(0);
  const StartFault fault = execute(order, words, variables);
  [[maybe_unused]] const ssize_t written = ::write(trouble, &fault, sizeof fault);
  ::_exit(127);
}

}  // namespace

Child::Child(const ChildOrder& order) {
  const auto words = exec_words(order.argv);
  const auto variables = order.environment ? exec_words(*order.environment) : std::vector<char*>();
  std::optional<Pipe> trouble;
  if (!order.argv.empty()) {
    trouble.emplace();
  } else {
    std::fflush(nullptr);  // the child's work must not write once more what waits to be written here
  }
  pid_ = ::fork();
  if (pid_ < 0) {
    throw Error("can't start " + (order.argv.empty() ? "a process" : order.argv.front()) + ": " + std::strerror(errno),
                "close some programs and try again");
  }
  if (pid_ == 0) become(order, words, variables, trouble ? trouble->end(1) : -1);
  // Both sides set the group, so that it exists before either goes on.
  if (order.group == Group::own) ::setpgid(pid_, pid_);
  if (!trouble) return;
  trouble_ = trouble->take_end(0);
  ::fcntl(trouble_.number(), F_SETFL, O_NONBLOCK);
}

std::optional<StartFault> Child::start_fault() const {
  StartFault fault;
  if (::read(trouble_.number(), &fault, sizeof fault) != static_cast<ssize_t>(sizeof fault)) return std::nullopt;
  return fault;
}

std::optional<StartFault> Child::wait_for_start() const {
  if (trouble_.number() < 0) return std::nullopt;
  pollfd waiting{trouble_.number(), POLLIN, 0};
  while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) continue;
  const auto fault = start_fault();
  if (fault) wait();
  return fault;
}

int Child::wait() const {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  return exit_code(status);
}

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void close_from(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  const auto limit = static_cast<int>(std::min(::sysconf(_SC_OPEN_MAX), 65'536L));
  for (int fd = first; fd < limit; ++fd) ::close(fd);  // a kernel before 5.9
}

Descriptor null_device() {
  return Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
}

}  // namespace rv::os
