#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rv::workers {

/// The memory accounting of this process's cgroup. Missing values could not be read.
struct CgroupMemory {
  std::optional<std::uint64_t> used_bytes;
  std::optional<std::uint64_t> limit_bytes;  ///< the lowest limit of this cgroup and those above it; nothing: no limit
  std::optional<std::uint64_t> oom_kills;    ///< number of processes killed by the OOM killer
};

/// The folder of this process's cgroup in the memory controller.
struct CgroupPlace {
  bool version_2 = false;
  std::string folder;  ///< empty: not visible here
  std::string top;     ///< the mount point above it
};

/// Finds the folder from the content of /proc/self/cgroup and /proc/self/mountinfo.
CgroupPlace find_memory_cgroup(std::string_view own, std::string_view mountinfo);

CgroupMemory read_cgroup_memory(const CgroupPlace& place);

}  // namespace rv::workers
