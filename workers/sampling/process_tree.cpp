#include "workers/sampling/process_tree.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "shared/system/process_table.h"

namespace rv::workers {
namespace {

/// The kernel's list of children, whose cost depends on the size of the tree, not of the machine. Nothing if this
/// kernel does not have it.
std::optional<std::vector<pid_t>> listed_children(pid_t pid) {
  std::vector<pid_t> children;
  for (const auto thread : os::numbers_in(fmt::format("/proc/{}/task", pid))) {
    const auto path = fmt::format("/proc/{}/task/{}/children", pid, thread);
    const auto text = os::proc_file(path);
    if (!text) {
      if (::access(fmt::format("/proc/{}/task/{}/stat", pid, thread).c_str(), F_OK) != 0) continue;  // it has ended
      return std::nullopt;
    }
    for (const char* at = text->c_str(); *at != 0;) {
      char* end = nullptr;
      const auto child = std::strtol(at, &end, 10);
      if (end == at) break;
      children.push_back(static_cast<pid_t>(child));
      at = end;
    }
  }
  return children;
}

std::set<pid_t> descendants(pid_t root, pid_t without) {
  std::set<pid_t> found;
  std::optional<std::multimap<pid_t, pid_t>> all;
  std::vector<pid_t> next{root};
  while (!next.empty()) {
    const auto pid = next.back();
    next.pop_back();
    auto children = all ? std::nullopt : listed_children(pid);
    if (!children) {
      if (!all) all = os::children_by_parent();
      children.emplace();
      const auto [begin, end] = all->equal_range(pid);
      for (auto it = begin; it != end; ++it) children->push_back(it->second);
    }
    for (const auto child : *children) {
      if (child != without && found.insert(child).second) next.push_back(child);
    }
  }
  return found;
}

}  // namespace

void ProcessTree::count(pid_t pid, TreeUse& use) {
  const auto stat = os::process_stat(pid);
  if (!stat || stat->zombie) return;  // it has ended meanwhile
  use.pids.insert(pid);
  use.threads += stat->threads;
  use.rss_bytes += stat->rss_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  auto& counted = known_[pid];
  // a new process, possibly with the number of an earlier one
  if (counted.started != stat->started) counted = {stat->started, 0, {}};
  cpu_ticks_ += stat->cpu_ticks - std::min(counted.cpu_ticks, stat->cpu_ticks);
  counted.cpu_ticks = stat->cpu_ticks;
  const auto io_text = os::proc_file(fmt::format("/proc/{}/io", pid));
  if (const auto io = io_text ? parse_process_io(*io_text) : std::nullopt) {
    io_readable_ = true;
    io_.read += io->read - std::min(counted.io.read, io->read);
    io_.written += io->written - std::min(counted.io.written, io->written);
    counted.io = *io;
  }
}

TreeUse ProcessTree::sample() {
  TreeUse use;
  for (const auto pid : descendants(root_, without_)) count(pid, use);
  std::erase_if(known_, [&](const auto& one) { return !use.pids.contains(one.first); });
  use.cpu_seconds = static_cast<double>(cpu_ticks_) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (io_readable_) use.io = io_;
  return use;
}

}  // namespace rv::workers
