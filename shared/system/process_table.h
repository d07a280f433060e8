// The processes of this machine, as /proc lists them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rv::os {

/// /proc/PID/stat. The program's name may hold brackets and blanks.
struct ProcessStat {
  bool zombie = false;  ///< it has ended, and its parent has not waited for it
  pid_t parent = 0;
  std::uint64_t cpu_ticks = 0;  ///< in user and system mode, of all its threads
  std::uint64_t started = 0;    ///< ticks since the machine started: with the PID it names a process for good
  std::uint64_t threads = 0;
  std::uint64_t rss_pages = 0;
};
std::optional<ProcessStat> parse_process_stat(std::string_view stat);

/// Empty if the process does not exist.
std::optional<ProcessStat> process_stat(pid_t pid);

/// The whole file; nothing where it can't be read.
std::optional<std::string> proc_file(const std::string& path);

/// The entries of a folder that are numbers, such as /proc's processes. Empty where it can't be read.
std::vector<pid_t> numbers_in(const std::string& folder);

/// The living processes of this machine by their parents.
std::multimap<pid_t, pid_t> children_by_parent();

/// From here on orphans of this process's descendants are its children: what it started can't get away.
void adopt_orphans();

/// Collects the ends of adopted processes. `known`: children whose end somebody else waits for.
void reap_adopted(const std::set<pid_t>& known);

}  // namespace rv::os
