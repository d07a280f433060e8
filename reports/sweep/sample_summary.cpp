#include "reports/sweep/sample_summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

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

void add(SampleSummary& summary, const char* name, const SampleTable& table, const char* column,
         double (*of)(const std::vector<double>&)) {
  const auto values = table.numbers(column);
  if (!values.empty()) summary.figures[name] = of(values);
}

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

SampleSummary summarize(const SampleFiles& files, const std::string& events) {
  SampleSummary summary;
  add(summary, "peak_gpu_util", files.gpu, "utilization_gpu_pct", most);
  add(summary, "mean_gpu_util", files.gpu, "utilization_gpu_pct", mean);
  add(summary, "peak_gpu_memory_util", files.gpu, "utilization_memory_pct", most);
  add(summary, "peak_vram_mib", files.gpu, "memory_used_mib", most);
  add(summary, "vram_total_mib", files.gpu, "memory_total_mib", most);
  add(summary, "peak_gpu_temp", files.gpu, "temperature_c", most);
  add(summary, "peak_gpu_power", files.gpu, "power_w", most);
  add(summary, "mean_gpu_power", files.gpu, "power_w", mean);
  add(summary, "least_clock_sm_mhz", files.gpu, "clock_sm_mhz", least);
  add(summary, "median_clock_sm_mhz", files.gpu, "clock_sm_mhz", middle);
  add(summary, "median_clock_memory_mhz", files.gpu, "clock_memory_mhz", middle);
  add(summary, "peak_cpu_util", files.cpu, "all_pct", most);
  add(summary, "mean_cpu_util", files.cpu, "all_pct", mean);
  add(summary, "peak_load", files.cpu, "load1", most);
  add(summary, "peak_ram_mib", files.ram, "used_mib", most);
  add(summary, "peak_cgroup_mib", files.ram, "cgroup_used_mib", most);
  add(summary, "peak_process_cpu_pct", files.process, "cpu_pct", most);
  add(summary, "peak_process_rss_mib", files.process, "rss_mib", most);
  add(summary, "peak_threads", files.process, "threads", most);
  add(summary, "peak_process_gpu_mib", files.process, "gpu_memory_mib", most);
  add(summary, "read_mib", files.process, "read_mib", growth);
  add(summary, "written_mib", files.process, "written_mib", growth);
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
