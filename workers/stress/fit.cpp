#include "workers/stress/fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "shared/system/process_table.h"
#include "workers/sampling/cgroup_memory.h"
#include "workers/sampling/proc_text.h"
#include "workers/stress/load_size.h"

namespace rv::workers {
namespace {

std::optional<std::uint64_t> free_on_host() {
  std::optional<std::uint64_t> free;
  if (const auto host = parse_host_memory(os::proc_file("/proc/meminfo").value_or(""))) free = host->available;
  const auto cgroup = read_cgroup_memory(find_memory_cgroup(os::proc_file("/proc/self/cgroup").value_or(""),
                                                            os::proc_file("/proc/self/mountinfo").value_or("")));
  if (cgroup.limit_bytes && cgroup.used_bytes) {
    const auto left = *cgroup.limit_bytes - std::min(*cgroup.used_bytes, *cgroup.limit_bytes);
    free = free ? std::min(*free, left) : left;
  }
  return free;
}

}  // namespace

std::optional<MemoryShortage> too_much(int workers, std::uint64_t memory_mib,
                                       const std::vector<std::optional<std::uint64_t>>& free, bool gpu) {
  const auto beside = gpu ? least_context_bytes : 0;
  const auto each = load_bytes(matrix_side(memory_mib)) + beside;
  const auto places = static_cast<int>(free.size());
  for (int place = 0; place < places; ++place) {
    const auto here = workers / places + (place < workers % places ? 1 : 0);
    const auto needed = each * static_cast<std::uint64_t>(here);
    const auto& there = free[static_cast<std::size_t>(place)];
    if (!there || needed <= *there) continue;
    const auto share = *there / static_cast<std::uint64_t>(here);
    return MemoryShortage{.gpu = gpu ? place : -1,
                          .workers = here,
                          .needed_bytes = needed,
                          .free_bytes = *there,
                          .fits_mib = share > beside ? (share - beside) / 3 >> 20U : 0};
  }
  return std::nullopt;
}

std::optional<MemoryShortage> too_much(int workers, std::uint64_t memory_mib, const std::vector<GivenGpu>& gpus) {
  std::vector<std::optional<std::uint64_t>> free;
  free.reserve(gpus.size() + 1);
  for (const auto& gpu : gpus) free.push_back(gpu.free_bytes);
  if (gpus.empty()) free.push_back(free_on_host());
  return too_much(workers, memory_mib, free, !gpus.empty());
}

std::string to_text(const MemoryShortage& what) {
  return fmt::format("{} worker{} on {} need {} bytes, but {} are free", what.workers, what.workers == 1 ? "" : "s",
                     what.gpu < 0 ? std::string("the host") : fmt::format("GPU {}", what.gpu), what.needed_bytes,
                     what.free_bytes);
}

}  // namespace rv::workers
