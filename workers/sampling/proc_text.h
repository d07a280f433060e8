#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::workers {

/// Clock ticks of a processor since it started.
struct CpuTicks {
  std::uint64_t busy = 0;  ///< all except idle and iowait
  std::uint64_t total = 0;
};

/// The CPU times of /proc/stat: of all processors together, and by processor number. Processors that are offline are
/// missing.
struct CpuTable {
  CpuTicks all;
  std::map<int, CpuTicks> cores;
};
std::optional<CpuTable> parse_cpu_table(std::string_view stat);

/// Percentage of busy time between two samples; nothing if no time has passed.
std::optional<double> busy_percent(const CpuTicks& before, const CpuTicks& now);

/// /proc/meminfo in bytes. `used` follows free(1): total minus available.
struct HostMemory {
  std::uint64_t total = 0, available = 0;
  std::uint64_t used() const { return total - available; }
};
std::optional<HostMemory> parse_host_memory(std::string_view meminfo);

/// /proc/PID/io: bytes read from and written to the disk.
struct ProcessIo {
  std::uint64_t read = 0, written = 0;
};
std::optional<ProcessIo> parse_process_io(std::string_view io);

/// The number after a key at the beginning of a line: "oom_kill 3", "MemTotal:  5 kB".
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key);

}  // namespace rv::workers
