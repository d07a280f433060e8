#include "base/os/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/os/descriptor.h"

namespace rv::os {
namespace {

/// Parent of a process, 0 when it has ended; nothing when it is gone. The program's name stands in brackets and may
/// hold brackets and blanks.
std::optional<pid_t> parent_of(const char* pid) {
  const std::string path = fmt::format("/proc/{}/stat", pid);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return std::nullopt;
  std::array<char, 512> buffer{};
  const ssize_t length = read(file.number(), buffer.data(), buffer.size());
  const std::string_view text(buffer.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::size_t bracket = text.rfind(") ");
  if (bracket == std::string_view::npos || bracket + 4 >= text.size()) return std::nullopt;
  const char state = text[bracket + 2];
  pid_t parent = 0;
  std::from_chars(text.data() + bracket + 4, text.data() + text.size(), parent);
  return state == 'Z' ? 0 : parent;
}

void signal_all(int number, pid_t except) {
  for (const pid_t pid : descendants(except)) kill(pid, number);
}

/// Each process's parent, as parent_of says it.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> found;
  if (DIR* folder = opendir("/proc"); folder != nullptr) {
    while (const dirent* entry = readdir(folder)) {
      pid_t pid = 0;
      const char* name = entry->d_name;
      if (std::from_chars(name, name + std::strlen(name), pid).ec != std::errc()) continue;
      if (const auto parent = parent_of(name)) found.emplace(pid, *parent);
    }
    closedir(folder);
  }
  return found;
}

/// Whether the list has every process's parent. /proc is read in the order of process IDs: a child with a lower ID than
/// its parent is read first, and if the parent ends in between, it is missing. Read again, the child has the parent
/// that adopted it.
bool is_whole(const std::map<pid_t, pid_t>& parents) {
  return std::all_of(parents.begin(), parents.end(),
                     [&](const auto& one) { return one.second == 0 || parents.contains(one.second); });
}

}  // namespace

void adopt_orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::set<pid_t> descendants(pid_t except) {
  auto listed = parents();
  // Not for ever: where /proc hides others' processes, a parent is missing each time.
  for (int again = 0; again < 2 && !is_whole(listed); ++again) listed = parents();
  std::multimap<pid_t, pid_t> children;
  for (const auto& [pid, parent] : listed) children.emplace(parent, pid);
  std::set<pid_t> found;
  std::vector<pid_t> next{getpid()};
  while (!next.empty()) {
    const auto [begin, end] = children.equal_range(next.back());
    next.pop_back();
    for (auto it = begin; it != end; ++it) {
      if (it->second != except && found.insert(it->second).second) next.push_back(it->second);
    }
  }
  return found;
}

void reap_adopted(pid_t but, pid_t except) {
  siginfo_t ended{};
  // Looked at before it is taken: the end of those two is somebody else's to know.
  while (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
    if (ended.si_pid == but || ended.si_pid == except) return;
    waitpid(ended.si_pid, nullptr, WNOHANG);
    ended.si_pid = 0;
  }
}

void end_descendants(std::chrono::milliseconds grace, const std::function<void(std::chrono::milliseconds)>& wait,
                     pid_t except) {
  using Clock = std::chrono::steady_clock;
  signal_all(SIGTERM, except);
  signal_all(SIGCONT, except);  // a stopped process acts on SIGTERM only when it goes on
  const auto last = Clock::now() + grace;
  while (Clock::now() < last) {
    wait(std::chrono::milliseconds(0));
    if (descendants(except).empty()) return;
    wait(std::chrono::milliseconds(20));
  }
  // Processes may appear while the list is read: again until none is left.
  for (int round = 0; round < 200 && !descendants(except).empty(); ++round) {
    signal_all(SIGKILL, except);
    wait(std::chrono::milliseconds(5));
  }
}

}  // namespace rv::os
