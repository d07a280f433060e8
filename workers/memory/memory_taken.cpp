#include "workers/memory/memory_taken.h"

#include <sys/resource.h>
#include <unistd.h>

#include "workers/devices/nvml.h"

namespace rv::workers {

MemoryTaken memory_taken(const std::optional<std::map<unsigned, std::uint64_t>>& by_process, unsigned process,
                         std::uint64_t allocated, const AvailableMemory& before, const AvailableMemory& now) {
  if (by_process) {
    const auto own = by_process->find(process);
    if (own != by_process->end() && own->second >= allocated) return {own->second, "driver"};
  }
  return {before.free > now.free ? before.free - now.free : 0, "free_memory"};
}

GpuMemoryTaken::GpuMemoryTaken(std::string uuid) : uuid_(std::move(uuid)), before_(available_gpu_memory()) {}

void GpuMemoryTaken::sample(std::uint64_t allocated) {
  const auto now = available_gpu_memory();
  if (!before_ || !now) return;
  std::string reason;
  const auto nvml = Nvml::open(reason);
  const auto taken = memory_taken(nvml ? nvml->read_process_memory(uuid_) : std::nullopt,
                                  static_cast<unsigned>(getpid()), allocated, *before_, *now);
  if (taken.bytes >= most_.bytes) most_ = taken;
}

MemoryTaken host_memory_taken() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return {static_cast<std::uint64_t>(use.ru_maxrss) * 1024, "kernel"};
}

}  // namespace rv::workers
