#include "base/os/local_command.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigtimedwait is POSIX
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/child.h"
#include "base/os/process_tree.h"
#include "shared/system/process_table.h"

namespace rv::os {

namespace {

using Clock = std::chrono::steady_clock;

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
              missing ? "check the spelling and PATH, or give the program's path"
                      : "check that it is a program that you may execute (chmod +x)",
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
  end_descendants(grace, [&](std::chrono::milliseconds span) {
    const timespec wait = to_timespec(span);
    if (span.count() > 0) sigtimedwait(&handled, nullptr, &wait);
    reap(child);
  });
}

}  // namespace

LocalCommandEnd run_local(const std::vector<std::string>& argv, std::optional<std::chrono::milliseconds> timeout,
                          std::chrono::milliseconds grace, const std::optional<std::vector<std::string>>& environment,
                          bool ends_with_terminal) {
  const sigset_t handled = handled_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &handled, &before);
  signal(SIGCHLD, SIG_DFL);  // inherited as ignored, it would hide how the command ended
  adopt_orphans();

  const auto deadline = timeout ? Clock::now() + *timeout : Clock::time_point::max();
  // Killed, this process can pass nothing on: the kernel tells the command.
  const Child started({.argv = argv, .environment = environment, .death_signal = SIGTERM, .blocked = before});
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
    if (number == SIGHUP && ends_with_terminal) {
      end_tree(handled, child, grace);
      end.exit_code = 128 + SIGHUP;
      break;
    }
    // What the terminal sends reaches the command by itself; what a process sent to rv is passed on.
    if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL) kill(child, number);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return end;
}

}  // namespace rv::os
