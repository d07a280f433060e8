#include "workers/ppo/room.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "workers/ppo/iteration_log.h"
#include "workers/sampling/cgroup_memory.h"

namespace rv::ppo {
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
  const auto place = workers::find_memory_cgroup(contents("/proc/self/cgroup"), contents("/proc/self/mountinfo"));
  const auto own = workers::read_cgroup_memory(place);
  if (own.limit_bytes && own.used_bytes) {
    const std::size_t left = *own.limit_bytes > *own.used_bytes ? *own.limit_bytes - *own.used_bytes : 0;
    if (!room || left < room->free) room = Room{left, *own.limit_bytes};
  }
  return room;
}

std::string with_commas(long number) {
  auto text = fmt::format("{}", number);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

Refusal too_large(int environments, std::size_t needed, const Room& room, bool on_gpu, int fits) {
  const auto taken = room.total - room.free;
  return {fmt::format("{}: {} environments need {} of {} of {}memory, and {} are in use",
                      on_gpu ? "out_of_memory" : "out_of_host_memory", with_commas(environments),
                      gigabytes_text(static_cast<double>(needed)), gigabytes_text(static_cast<double>(room.total)),
                      on_gpu ? "GPU " : "", gigabytes_text(static_cast<double>(taken))),
          fits > 0 ? fmt::format("--num-envs {} fits", fits) : "not even one environment fits; free some memory",
          does_not_fit};
}

}  // namespace rv::ppo
