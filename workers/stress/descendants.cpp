#include "workers/stress/descendants.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <charconv>
#include <csignal>
#include <cstring>
#include <thread>

#include "shared/system/process_table.h"
#include "workers/sampling/process_tree.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto look_every = std::chrono::milliseconds(20);

std::set<pid_t> all_descendants() {
  return ProcessTree(::getpid(), 0).sample().pids;
}

/// The worker's number from its environment; nothing if that can't be read.
std::optional<int> worker_of(pid_t pid) {
  using namespace std::string_view_literals;
  constexpr auto before = "\0RV_STRESS_WORKER="sv;
  std::string text(1, '\0');
  text += os::proc_file(fmt::format("/proc/{}/environ", pid)).value_or("");
  const auto at = text.find(before);
  if (at == std::string::npos) return std::nullopt;
  int worker = 0;
  const auto [end, fault] = std::from_chars(text.data() + at + before.size(), text.data() + text.size(), worker);
  return fault == std::errc() ? std::optional(worker) : std::nullopt;
}

std::string command_of(pid_t pid) {
  auto words = os::proc_file(fmt::format("/proc/{}/cmdline", pid)).value_or("");
  while (!words.empty() && words.back() == '\0') words.pop_back();
  if (words.empty()) words = os::proc_file(fmt::format("/proc/{}/comm", pid)).value_or("?");
  for (auto& letter : words) {
    if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) letter = ' ';
  }
  constexpr std::size_t most = 120;
  return words.substr(0, most);
}

}  // namespace

std::vector<LeftProcess> descendants_left(const std::set<pid_t>& without) {
  std::vector<LeftProcess> left;
  for (const auto pid : all_descendants()) {
    if (without.contains(pid)) continue;
    const auto stat = os::process_stat(pid);
    left.push_back({pid, command_of(pid), worker_of(pid), stat && stat->zombie});
  }
  return left;
}

std::map<pid_t, int> end_descendants(std::chrono::milliseconds grace) {
  std::map<pid_t, int> ends;
  const auto began = Clock::now();
  bool asked = false;
  for (;;) {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) ends[pid] = status;
    const auto left = all_descendants();
    if (left.empty()) return ends;
    const bool insist = Clock::now() - began >= grace;
    for (const auto pid : left) {
      if (insist) ::kill(pid, SIGKILL);
      if (!insist && !asked) {
        ::kill(pid, SIGTERM);
        ::kill(pid, SIGCONT);  // a stopped process does not handle signals
      }
    }
    asked = true;
    // A process blocked in the driver can't be killed: it must not block this one.
    if (Clock::now() - began >= grace + std::chrono::seconds(20)) return ends;
    std::this_thread::sleep_for(look_every);
  }
}

std::string ending_text(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("exited with {}", WEXITSTATUS(wait_status));
}

}  // namespace rv::workers
