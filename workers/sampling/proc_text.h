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
  std::uint64_t busy = 0;  ///< all but idle and waiting for a disk
  std::uint64_t total = 0;
};

/// /proc/stat: all processors together, then each by its number. One that is off is not there.
struct CpuTable {
  CpuTicks all;
  std::map<int, CpuTicks> cores;
};
std::optional<CpuTable> parse_cpu_table(std::string_view stat);

/// Percent of the time between two looks; nothing where no time has passed.
std::optional<double> busy_percent(const CpuTicks& before, const CpuTicks& now);

/// /proc/meminfo in bytes. Used is what free(1) calls so: the total without what is available.
struct HostMemory {
  std::uint64_t total = 0, available = 0;
  std::uint64_t used() const { return total - available; }
};
std::optional<HostMemory> parse_host_memory(std::string_view meminfo);

/// /proc/PID/io: what went through to the disk, bytes.
struct ProcessIo {
  std::uint64_t read = 0, written = 0;
};
std::optional<ProcessIo> parse_process_io(std::string_view io);

/// The number behind a key at a line's beginning: "oom_kill 3", "MemTotal:  5 kB".
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key);

}  // namespace rv::workers
