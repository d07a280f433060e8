#include "base/os/local_command.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigtimedwait is POSIX
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/os/child.h"

namespace rv::os {

namespace {

using Clock = std::chrono::steady_clock;

/// Parent of a process, 0 when it is gone. The program's name stands in brackets and may hold brackets and blanks.
pid_t parent_of(const char* pid) {
  const std::string path = fmt::format("/proc/{}/stat", pid);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return 0;
  std::array<char, 512> buffer{};
  const ssize_t length = read(file.number(), buffer.data(), buffer.size());
  const std::string_view text(buffer.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::size_t bracket = text.rfind(") ");
  if (bracket == std::string_view::npos || bracket + 4 >= text.size()) return 0;
  const char state = text[bracket + 2];
  pid_t parent = 0;
  std::from_chars(text.data() + bracket + 4, text.data() + text.size(), parent);
  return state == 'Z' ? 0 : parent;
}

/// Living processes that descend from this one. Complete because this process adopts orphans.
std::set<pid_t> descendants() {
  std::multimap<pid_t, pid_t> children;
  if (DIR* folder = opendir("/proc"); folder != nullptr) {
    while (const dirent* entry = readdir(folder)) {
      pid_t pid = 0;
      const char* name = entry->d_name;
      if (std::from_chars(name, name + std::strlen(name), pid).ec != std::errc()) continue;
      if (const pid_t parent = parent_of(name); parent > 0) children.emplace(parent, pid);
    }
    closedir(folder);
  }
  std::set<pid_t> found;
  std::vector<pid_t> next{getpid()};
  while (!next.empty()) {
    const auto [begin, end] = children.equal_range(next.back());
    next.pop_back();
    for (auto it = begin; it != end; ++it) {
      if (found.insert(it->second).second) next.push_back(it->second);
    }
  }
  return found;
}

void signal_all(int number) {
  for (const pid_t pid : descendants()) kill(pid, number);
}

timespec to_timespec(Clock::duration span) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(span);
  timespec time{};
  time.tv_sec = static_cast<time_t>(whole.count());
  time.tv_nsec = static_cast<long>(std::chrono::nanoseconds(span - whole).count());
  return time;
}

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, number);
  return set;
}

[[noreturn]] void refuse(const std::string& program, int fault) {
  const bool missing = fault == ENOENT || fault == ENOTDIR;
  throw Error(fmt::format("{}: {}", program, missing ? "no such command" : std::strerror(fault)),
              missing ? "check the spelling and PATH, or give the path of the program"
                      : "is it a program, and may you execute it (chmod +x)?",
              static_cast<ExitCode>(missing ? 127 : 126));
}

/// Takes what has ended. The command's wait status once it is among them.
std::optional<int> reap(pid_t child) {
  std::optional<int> status_of_child;
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (ended == child) status_of_child = status;
  }
  return status_of_child;
}

void end_tree(const sigset_t& handled, pid_t child, std::chrono::milliseconds grace) {
  signal_all(SIGTERM);
  signal_all(SIGCONT);  // a stopped process acts on SIGTERM only when it goes on
  const auto last = Clock::now() + grace;
  while (Clock::now() < last) {
    reap(child);
    if (descendants().empty()) return;
    const timespec tick = to_timespec(std::chrono::milliseconds(20));
    sigtimedwait(&handled, nullptr, &tick);
  }
  // Processes may appear while the list is read: again until none is left.
  for (int round = 0; round < 200 && !descendants().empty(); ++round) {
    signal_all(SIGKILL);
    const timespec tick = to_timespec(std::chrono::milliseconds(5));
    sigtimedwait(&handled, nullptr, &tick);
    reap(child);
  }
}

}  // namespace

LocalCommandEnd run_local(const std::vector<std::string>& argv, std::optional<std::chrono::milliseconds> timeout,
                          std::chrono::milliseconds grace, const std::optional<std::vector<std::string>>& environment) {
  const sigset_t handled = handled_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &handled, &before);
  signal(SIGCHLD, SIG_DFL);  // inherited as ignored, it would hide how the command ended
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  const auto deadline = timeout ? Clock::now() + *timeout : Clock::time_point::max();
  const Child started({.argv = argv, .environment = environment, .blocked = before});
  if (const auto fault = started.wait_for_start()) refuse(argv.front(), fault->reason);
  const pid_t child = started.pid();
  LocalCommandEnd end;
  for (;;) {
    if (const auto status = reap(child)) {
      end.exit_code = exit_code(*status);
      break;
    }
    siginfo_t info{};
    int number = 0;
    if (timeout) {
      const auto left = deadline - Clock::now();
      if (left <= Clock::duration::zero()) {
        end_tree(handled, child, grace);
        end.timed_out = true;
        break;
      }
      const timespec wait = to_timespec(left);
      number = sigtimedwait(&handled, &info, &wait);
    } else {
      number = sigwaitinfo(&handled, &info);
    }
    // What the terminal sends reaches the command by itself; what a process sent to rv is passed on.
    if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL) kill(child, number);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return end;
}

}  // namespace rv::os
