#include "workers/sampling/proc_text.h"

#include <array>
#include <charconv>

namespace rv::workers {
namespace {

/// The numbers of a line, up to the first field that is not a number.
std::vector<std::uint64_t> numbers_of(std::string_view line) {
  std::vector<std::uint64_t> numbers;
  while (!line.empty()) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (fault != std::errc()) break;
    numbers.push_back(value);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  return numbers;
}

constexpr std::size_t idle = 3, waiting = 4, steal = 7;

}  // namespace

std::optional<CpuTable> parse_cpu_table(std::string_view stat) {
  CpuTable table;
  bool any = false;
  while (stat.starts_with("cpu")) {
    const auto end = std::min(stat.find('\n'), stat.size());
    auto line = stat.substr(3, end - 3);
    stat.remove_prefix(std::min(end + 1, stat.size()));
    int core = -1;
    const auto [after, fault] = std::from_chars(line.data(), line.data() + line.size(), core);
    if (fault == std::errc()) line.remove_prefix(static_cast<std::size_t>(after - line.data()));
    const auto numbers = numbers_of(line);
    if (numbers.size() <= waiting) return std::nullopt;
    CpuTicks ticks;
    // The fields after steal, guest times, are already included in the first two.
    for (std::size_t i = 0; i < numbers.size() && i <= steal; ++i) {
      ticks.total += numbers[i];
      if (i != idle && i != waiting) ticks.busy += numbers[i];
    }
    if (core < 0) {
      table.all = ticks;
      any = true;
    } else {
      table.cores[core] = ticks;
    }
  }
  return any ? std::optional(table) : std::nullopt;
}

std::optional<double> busy_percent(const CpuTicks& before, const CpuTicks& now) {
  if (now.total <= before.total || now.busy < before.busy) return std::nullopt;
  return 100.0 * static_cast<double>(now.busy - before.busy) / static_cast<double>(now.total - before.total);
}

std::optional<HostMemory> parse_host_memory(std::string_view meminfo) {
  const auto total = number_after(meminfo, "MemTotal:");
  const auto available = number_after(meminfo, "MemAvailable:");
  if (!total || !available || *available > *total) return std::nullopt;
  return HostMemory{*total * 1024, *available * 1024};
}

std::optional<ProcessIo> parse_process_io(std::string_view io) {
  const auto read = number_after(io, "read_bytes:");
  const auto written = number_after(io, "write_bytes:");
  if (!read || !written) return std::nullopt;
  return ProcessIo{*read, *written};
}

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
  for (auto at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const auto end = at + key.size();
    if (end < text.size() && text[end] != ' ' && text[end] != '\t') continue;
    auto rest = text.substr(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::uint64_t value = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc()) return value;
  }
  return std::nullopt;
}

}  // namespace rv::workers
