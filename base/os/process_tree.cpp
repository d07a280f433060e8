#include "base/os/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "base/os/descriptor.h"

namespace rv::os {
namespace {

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

void signal_all(int number, pid_t except) {
  for (const pid_t pid : descendants(except)) kill(pid, number);
}

/// A child whose number is below its parent's is listed first, as the parent's; if the parent ends before it is listed
/// itself, the child hangs on nobody in that list. The next one has it as this process's own.
bool none_left(pid_t except) {
  return descendants(except).empty() && descendants(except).empty();
}

}  // namespace

void adopt_orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::set<pid_t> descendants(pid_t except) {
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
    if (none_left(except)) return;
    wait(std::chrono::milliseconds(20));
  }
  // Processes may appear while the list is read: again until none is left.
  for (int round = 0; round < 200 && !none_left(except); ++round) {
    signal_all(SIGKILL, except);
    wait(std::chrono::milliseconds(5));
  }
}

}  // namespace rv::os
