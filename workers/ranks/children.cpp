#include "workers/ranks/children.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "shared/system/start_child.h"

namespace rv::workers {
namespace {

constexpr std::array passed_on{SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
constexpr std::size_t most_children = 1024;

// Global, for the signal handler.
std::array<std::atomic<pid_t>, most_children> processes;
std::array<struct sigaction, passed_on.size()> before;

void pass_on(int signal) {
  const int error = errno;
  for (const auto& process : processes) {
    if (const auto pid = process.load(); pid > 0) kill(pid, signal);
  }
  // The previous handler is called too.
  for (std::size_t i = 0; i < passed_on.size(); ++i) {
    const auto earlier = before[i].sa_handler;
    if (passed_on[i] == signal && earlier != SIG_DFL && earlier != SIG_IGN) earlier(signal);
  }
  errno = error;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const auto* const guess = signal == SIGKILL ? "; the host's memory may have run out" : "";
    return fmt::format("was killed by signal {} ({}{})", signal, strsignal(signal), guess);
  }
  return fmt::format("exited with {}", WEXITSTATUS(status));
}

}  // namespace

Children::Children() {
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  for (std::size_t i = 0; i < passed_on.size(); ++i) sigaction(passed_on[i], &action, &before[i]);
}

Children::~Children() {
  kill_all();
  for (std::size_t i = 0; i < passed_on.size(); ++i) sigaction(passed_on[i], &before[i], nullptr);
}

void Children::start(int rank, const std::function<int()>& work) {
  if (running_.size() == most_children) throw std::runtime_error("too many ranks for one host");
  os::ChildOrder order;
  // If this process is killed, the ranks must end too, even those that hang.
  order.death_signal = SIGKILL;
  // A rank whose peer has died reports that. SIGPIPE would end it, and it would be blamed for the failure.
  order.ignored_signals = {SIGPIPE};
  order.work = [&work] {
    for (std::size_t i = 0; i < passed_on.size(); ++i) sigaction(passed_on[i], &before[i], nullptr);
    for (auto& sibling : processes) sibling = 0;
    return work();
  };
  const auto process = os::start_child(order);
  if (process < 0) throw std::runtime_error(fmt::format("cannot start rank {}: {}", rank, strerror(errno)));
  for (auto& slot : processes) {
    if (slot == 0) {
      slot = process;
      break;
    }
  }
  running_.push_back({process, rank});
}

std::vector<Children::Ended> Children::reap() {
  std::vector<Ended> ended;
  for (std::size_t i = 0; i < running_.size();) {
    int status = 0;
    const auto child = running_[i];
    const auto got = waitpid(child.process, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) {
      ++i;
      continue;
    }
    for (auto& slot : processes) {
      if (slot == child.process) slot = 0;
    }
    const bool well = got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    ended.push_back({child.rank, well, got > 0 ? how_it_ended(status) : "was lost"});
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return ended;
}

void Children::kill_all() {
  for (const auto& child : running_) kill(child.process, SIGKILL);
  for (const auto& child : running_) os::wait_for(child.process);
  for (auto& slot : processes) slot = 0;
  running_.clear();
}

}  // namespace rv::workers
