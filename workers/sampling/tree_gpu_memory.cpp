#include "workers/sampling/tree_gpu_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace rv::workers {
namespace {

/// A process's context takes some hundred MiB, while the driver's own use varies by a few MiB. An increase above this
/// belongs to a process.
constexpr std::uint64_t somebody = 64ULL << 20U;

/// Whether the process exists in this namespace, also if /proc hides it.
bool is_here(pid_t pid) {
  return ::kill(pid, 0) == 0 || errno != ESRCH;
}

}  // namespace

TreeGpuMemory::Sample TreeGpuMemory::sample(Nvml& nvml, const std::string& gpu, std::optional<std::uint64_t> used,
                                            const std::set<pid_t>& tree) {
  const auto bytes = nvml.read_process_memory(gpu);
  if (!bytes) return {std::nullopt, "the driver does not list its processes"};
  std::uint64_t sum = 0;
  bool found = false;
  for (const auto& [pid, own] : *bytes) {
    if (!tree.contains(static_cast<pid_t>(pid))) continue;
    sum += own;
    found = true;
    seen_.insert(pid);
  }
  if (found) return {sum, ""};
  // This list also has processes whose memory the driver does not report.
  const auto listed = nvml.read_processes(gpu).value_or(std::set<unsigned>{});
  for (const auto pid : listed) {
    const auto process = static_cast<pid_t>(pid);
    if (tree.contains(process)) return {std::nullopt, "the driver does not report the memory of processes"};
    if (!seen_.contains(pid) && !is_here(process)) {
      return {
          std::nullopt,
          fmt::format("the driver lists process {}, which does not exist here: it uses another PID namespace", pid)};
    }
  }
  if (!used) return {0, ""};
  auto& least = least_used_.try_emplace(gpu, *used).first->second;
  least = std::min(least, *used);
  if (listed.empty() && *used >= least + somebody) {
    return {std::nullopt, "the driver lists no process, although its memory was in use"};
  }
  return {0, ""};
}

}  // namespace rv::workers
