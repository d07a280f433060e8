#include "workers/sampling/cgroup_memory.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <vector>

#include "shared/system/mounts.h"
#include "shared/system/process_table.h"
#include "workers/sampling/proc_text.h"

namespace rv::workers {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool has(const std::string& list, const char* word) {
  const auto words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The path of this process in the hierarchy, from lines such as "4:memory:/a/b" or "0::/a/b".
std::optional<std::string> path_in(std::string_view own, bool version_2) {
  for (const auto& line : split(own, '\n')) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    if (version_2 ? controllers.empty() : has(controllers, "memory")) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  const auto text = os::proc_file(path);
  std::uint64_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

/// The mount point of the hierarchy, and which part of it is mounted.
CgroupPlace place_in(std::string_view own, std::string_view mountinfo, bool version_2) {
  const auto path = path_in(own, version_2);
  for (const auto& mount : os::parse_mounts(mountinfo)) {
    if (!path || mount.type != (version_2 ? "cgroup2" : "cgroup")) continue;
    if (!version_2 && !has(mount.options, "memory")) continue;
    const auto root = mount.root == "/" ? std::string() : mount.root;
    const bool inside = *path == root || path->starts_with(root + "/");
    if (inside) return {version_2, mount.point + path->substr(root.size()), mount.point};
  }
  return {};
}

}  // namespace

CgroupPlace find_memory_cgroup(std::string_view own, std::string_view mountinfo) {
  // If both versions are mounted, version 1 has the memory controller if it lists it.
  auto place = place_in(own, mountinfo, false);
  if (place.folder.empty()) place = place_in(own, mountinfo, true);
  while (place.folder.size() > 1 && place.folder.back() == '/') place.folder.pop_back();
  return place;
}

CgroupMemory read_cgroup_memory(const CgroupPlace& place) {
  CgroupMemory memory;
  if (place.folder.empty()) return memory;
  const auto& folder = place.folder;
  if (!place.version_2) {
    memory.used_bytes = number_in(folder + "/memory.usage_in_bytes");
    const auto stat = os::proc_file(folder + "/memory.stat").value_or("");
    const auto limit = number_after(stat, "hierarchical_memory_limit");
    if (limit && *limit < (1ULL << 62U)) memory.limit_bytes = limit;
    memory.oom_kills = number_after(os::proc_file(folder + "/memory.oom_control").value_or(""), "oom_kill");
    return memory;
  }
  memory.used_bytes = number_in(folder + "/memory.current");
  memory.oom_kills = number_after(os::proc_file(folder + "/memory.events").value_or(""), "oom_kill");
  for (auto at = folder; at.size() >= place.top.size() && !at.empty(); at.resize(at.rfind('/'))) {
    if (const auto limit = number_in(at + "/memory.max")) {
      memory.limit_bytes = std::min(memory.limit_bytes.value_or(*limit), *limit);
    }
    if (at.rfind('/') == std::string::npos) break;
  }
  return memory;
}

}  // namespace rv::workers
