#include "workers/memory/room.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "workers/sampling/cgroup_memory.h"

namespace rv::workers {
namespace {

std::string contents(const char* path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<std::size_t> kilobytes(const std::string& meminfo, std::string_view name) {
  const auto at = meminfo.find(name);
  if (at == std::string::npos) return std::nullopt;
  return std::size_t{1024} * std::strtoull(meminfo.c_str() + at + name.size(), nullptr, 10);
}

}  // namespace

std::optional<Room> host_room() {
  std::optional<Room> room;
  const auto meminfo = contents("/proc/meminfo");
  const auto total = kilobytes(meminfo, "MemTotal:"), available = kilobytes(meminfo, "MemAvailable:");
  if (total && available) room = Room{*available, *total};
  const auto place = find_memory_cgroup(contents("/proc/self/cgroup"), contents("/proc/self/mountinfo"));
  const auto own = read_cgroup_memory(place);
  if (own.limit_bytes && own.used_bytes) {
    const std::size_t left = *own.limit_bytes > *own.used_bytes ? *own.limit_bytes - *own.used_bytes : 0;
    if (!room || left < room->free) room = Room{left, *own.limit_bytes};
  }
  return room;
}

int most_that_fit(int asked, std::size_t free, const std::function<std::size_t(int)>& needed) {
  int known = 0, not_known = asked;
  while (not_known - known > 1) {
    const int middle = known + (not_known - known) / 2;
    (needed(middle) <= free ? known : not_known) = middle;
  }
  return known;
}

}  // namespace rv::workers
