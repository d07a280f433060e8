#include "base/os/process_tree.h"

#include <unistd.h>

#include <csignal>
#include <vector>

#include "shared/system/process_table.h"

namespace rv::os {
namespace {

void signal_all(int number, pid_t except) {
  for (const pid_t pid : descendants(except)) kill(pid, number);
}

}  // namespace

std::set<pid_t> descendants(pid_t except) {
  const auto children = children_by_parent();
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
