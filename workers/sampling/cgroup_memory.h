#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rv::workers {

/// What the kernel counts of the memory of this process's cgroup. Absent: it is not told.
struct CgroupMemory {
  std::optional<std::uint64_t> used_bytes;
  std::optional<std::uint64_t> limit_bytes;  ///< the least of its own and those above it; nothing: no limit
  std::optional<std::uint64_t> oom_kills;    ///< processes that the kernel has ended for memory
};

/// Where the memory controller of this process's cgroup can be read.
struct CgroupPlace {
  bool version_2 = false;
  std::string folder;  ///< empty: not to be seen from here
  std::string top;     ///< the mount that it stands in
};

/// From /proc/self/cgroup and /proc/self/mountinfo.
CgroupPlace find_memory_cgroup(std::string_view own, std::string_view mountinfo);

CgroupMemory read_cgroup_memory(const CgroupPlace& place);

}  // namespace rv::workers
