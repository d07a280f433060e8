#include "reports/sweep/sample_summary.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

#include "base/documents/parse_document.h"
#include "shared/median.h"

namespace rv::sweep {
namespace {

double most(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}
double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}
double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double middle(const std::vector<double>& values) {
  return median(values);
}
double growth(const std::vector<double>& values) {
  return most(values) - least(values);
}

struct Row {
  std::string_view name;
  SampleTable SampleFiles::*file = nullptr;  // none: summarize() computes it in another way
  std::string_view column = {};
  double (*of)(const std::vector<double>&) = nullptr;
  bool first = false;  // see sample_figures()
};

constexpr std::array rows{
    Row{"peak_gpu_util", &SampleFiles::gpu, "utilization_gpu_pct", most, true},
    Row{"mean_gpu_util", &SampleFiles::gpu, "utilization_gpu_pct", mean},
    Row{"peak_gpu_memory_util", &SampleFiles::gpu, "utilization_memory_pct", most},
    Row{"peak_vram_mib", &SampleFiles::gpu, "memory_used_mib", most, true},
    Row{"vram_total_mib", &SampleFiles::gpu, "memory_total_mib", most},
    Row{"peak_gpu_temp", &SampleFiles::gpu, "temperature_c", most, true},
    Row{"peak_gpu_power", &SampleFiles::gpu, "power_w", most, true},
    Row{"mean_gpu_power", &SampleFiles::gpu, "power_w", mean},
    Row{"least_clock_sm_mhz", &SampleFiles::gpu, "clock_sm_mhz", least},
    Row{"median_clock_sm_mhz", &SampleFiles::gpu, "clock_sm_mhz", middle},
    Row{"median_clock_memory_mhz", &SampleFiles::gpu, "clock_memory_mhz", middle},
    Row{"peak_cpu_util", &SampleFiles::cpu, "all_pct", most, true},
    Row{"mean_cpu_util", &SampleFiles::cpu, "all_pct", mean},
    Row{"busiest_core_pct"},
    Row{"peak_load", &SampleFiles::cpu, "load1", most},
    Row{"peak_ram_mib", &SampleFiles::ram, "used_mib", most, true},
    Row{"peak_cgroup_mib", &SampleFiles::ram, "cgroup_used_mib", most},
    Row{"peak_process_cpu_pct", &SampleFiles::process, "cpu_pct", most},
    Row{"peak_process_rss_mib", &SampleFiles::process, "rss_mib", most},
    Row{"peak_threads", &SampleFiles::process, "threads", most},
    Row{"peak_process_gpu_mib", &SampleFiles::process, "gpu_memory_mib", most},
    Row{"read_mib", &SampleFiles::process, "read_mib", growth},
    Row{"written_mib", &SampleFiles::process, "written_mib", growth},
    Row{"samples"},
    Row{"late_samples"},
};

/// A reason holds from the sample that shows it to the next of the same GPU.
void add_throttling(SampleSummary& summary, const SampleTable& gpu) {
  std::map<std::string, std::pair<double, std::string>> last;  // by GPU
  for (std::size_t row = 0; row < gpu.rows(); ++row) {
    const auto reasons = gpu.text(row, "throttle_reasons");
    const auto time = gpu.number(row, "time");
    if (!time) continue;
    auto& [before, held] = last[gpu.text(row, "gpu")];
    for (std::size_t begin = 0; begin < held.size();) {
      const auto end = std::min(held.find('+', begin), held.size());
      const auto reason = held.substr(begin, end - begin);
      if (reason != "none") (*summary.throttled_s)[reason] += *time - before;
      begin = end + 1;
    }
    if (!reasons.empty() && !summary.throttled_s) summary.throttled_s.emplace();
    before = *time;
    held = reasons;
  }
}

/// The largest of the cores' means: one busy core among many idle ones.
void add_busiest_core(SampleSummary& summary, const SampleTable& cpu) {
  for (const auto& column : cpu.columns()) {
    if (!column.starts_with("core")) continue;
    const auto values = cpu.numbers(column);
    if (values.empty()) continue;
    auto& busiest = summary.figures["busiest_core_pct"];
    busiest = std::max(busiest, mean(values));
  }
}

void add_missing(SampleSummary& summary, const std::string& events) {
  for (std::size_t begin = 0; begin < events.size();) {
    const auto end = std::min(events.find('\n', begin), events.size());
    const auto event = parse_json_or_discard<nlohmann::ordered_json>(events.substr(begin, end - begin));
    begin = end + 1;
    if (!event.is_object() || !event.contains("source")) continue;
    const auto source = event.value("source", "");
    const double time = event.value("time", 0.0);
    if (event.value("event", "") == "lost") {
      summary.missing.push_back({source, time, std::nullopt, event.value("why", "")});
      continue;
    }
    const auto open = std::find_if(summary.missing.begin(), summary.missing.end(),
                                   [&](const Missing& one) { return one.source == source && !one.until; });
    if (open != summary.missing.end()) open->until = time;
  }
}

}  // namespace

std::vector<std::string> sample_figures(bool first) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if (row.first == first) names.emplace_back(row.name);
  }
  return names;
}

SampleSummary summarize(const SampleFiles& files, const std::string& events) {
  SampleSummary summary;
  for (const auto& row : rows) {
    if (row.file == nullptr) continue;
    const auto values = (files.*row.file).numbers(row.column);
    if (!values.empty()) summary.figures[std::string(row.name)] = row.of(values);
  }
  add_busiest_core(summary, files.cpu);
  if (files.ram.rows() > 0) {
    summary.figures["samples"] = static_cast<double>(files.ram.rows());
    const auto late = files.ram.numbers("late_ms");
    summary.figures["late_samples"] = static_cast<double>(late.size());
    if (!late.empty()) summary.figures["latest_ms"] = most(late);
  }
  add_throttling(summary, files.gpu);
  add_missing(summary, events);
  return summary;
}

std::optional<long long> oom_kills(const SampleTable& ram) {
  if (ram.rows() < 2) return std::nullopt;
  const auto first = ram.number(0, "oom_kills");
  const auto last = ram.number(ram.rows() - 1, "oom_kills");
  if (!first || !last) return std::nullopt;
  return static_cast<long long>(*last - *first);
}

}  // namespace rv::sweep
