#include "workers/memory/available_memory.h"

#include "shared/system/process_table.h"
#include "workers/sampling/cgroup_memory.h"
#include "workers/sampling/proc_text.h"

namespace rv::workers {

std::optional<AvailableMemory> available_host_memory() {
  std::optional<AvailableMemory> memory;
  const auto host = parse_host_memory(os::proc_file("/proc/meminfo").value_or(""));
  if (host) memory = AvailableMemory{host->available, host->total};
  const auto place = find_memory_cgroup(os::proc_file("/proc/self/cgroup").value_or(""),
                                        os::proc_file("/proc/self/mountinfo").value_or(""));
  const auto own = read_cgroup_memory(place);
  if (own.limit_bytes && own.used_bytes) {
    const std::size_t left = *own.limit_bytes > *own.used_bytes ? *own.limit_bytes - *own.used_bytes : 0;
    if (!memory || left < memory->free) memory = AvailableMemory{left, *own.limit_bytes};
  }
  return memory;
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
