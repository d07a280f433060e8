#include "shared/system/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "shared/number.h"
#include "shared/system/descriptor.h"

namespace rv::os {
namespace {

/// Each living process's parent.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> found;
  for (const pid_t pid : numbers_in("/proc")) {
    if (const auto stat = process_stat(pid)) found.emplace(pid, stat->zombie ? 0 : stat->parent);
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

std::optional<ProcessStat> parse_process_stat(std::string_view stat) {
  const auto bracket = stat.rfind(") ");
  if (bracket == std::string_view::npos || bracket + 4 > stat.size()) return std::nullopt;
  const bool zombie = stat[bracket + 2] == 'Z';
  // Some fields of later ones are negative, so that the words are taken one by one: fields 4 to 24 of proc(5).
  constexpr std::size_t first = 4, last = 24;
  std::vector<long long> fields;
  auto rest = stat.substr(bracket + 3);
  while (fields.size() <= last - first) {
    const auto begin = rest.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(begin);
    long long value = 0;
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (fault != std::errc() && fault != std::errc::result_out_of_range) return std::nullopt;
    fields.push_back(value);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  const auto field = [&](std::size_t number) { return static_cast<std::uint64_t>(fields[number - first]); };
  return ProcessStat{zombie, static_cast<pid_t>(fields[0]), field(14) + field(15), field(22), field(20), field(24)};
}

std::optional<ProcessStat> process_stat(pid_t pid) {
  const auto text = proc_file("/proc/" + std::to_string(pid) + "/stat");
  return text ? parse_process_stat(*text) : std::nullopt;
}

std::optional<std::string> proc_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return std::nullopt;
  std::string text;
  std::array<char, 8192> buffer;
  ssize_t length = 0;
  while ((length = ::read(file.number(), buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(length));
  }
  return length < 0 ? std::nullopt : std::optional(text);
}

std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> numbers;
  DIR* const open = ::opendir(folder.c_str());
  if (open == nullptr) return numbers;
  while (const dirent* const entry = ::readdir(open)) {
    if (const auto number = number_in<pid_t>(entry->d_name)) numbers.push_back(*number);
  }
  ::closedir(open);
  return numbers;
}

std::multimap<pid_t, pid_t> children_by_parent() {
  auto listed = parents();
  // Not for ever: where /proc hides others' processes, a parent is missing each time.
  for (int again = 0; again < 2 && !is_whole(listed); ++again) listed = parents();
  std::multimap<pid_t, pid_t> children;
  for (const auto& [pid, parent] : listed) children.emplace(parent, pid);
  return children;
}

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void reap_adopted(const std::set<pid_t>& known) {
  siginfo_t ended{};
  // Looked at before it is taken: the end of those is somebody else's to know.
  while (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
    if (known.contains(ended.si_pid)) return;  // what stands behind it is seen once that one is collected
    ::waitpid(ended.si_pid, nullptr, WNOHANG);
    ended = {};
  }
}

}  // namespace rv::os
