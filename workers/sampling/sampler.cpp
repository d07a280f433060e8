#include "workers/sampling/sampler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "shared/documents/json_dump.h"
#include "shared/system/process_table.h"
#include "shared/time_text.h"
#include "workers/devices/processor_time.h"
#include "workers/devices/visible_gpus.h"

namespace rv::workers {
namespace {

constexpr double mib = 1024.0 * 1024.0;

/// Seconds. The kernel counts CPU time in hundredths of a second, so shorter intervals give no useful percentage.
constexpr double shortest = 0.05;

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string stamp(double time) {
  return fmt::format("{:.3f}", time);
}

/// A reading in another unit; "" if unknown.
std::string reading(const GpuReadings& gpu, const char* name, double unit = 1, int decimals = 0) {
  const auto value = gpu[name];
  return field(value ? std::optional(static_cast<double>(*value) / unit) : std::nullopt, decimals);
}

std::string reasons_of(const GpuReadings& gpu) {
  const auto bits = gpu["throttle_bits"];
  if (!bits) return "";
  std::string names;
  std::uint64_t named = 0;
  for (const auto& reason : throttle_reasons()) {
    named |= reason.bit;
    if ((*bits & reason.bit) != 0) names += (names.empty() ? "" : "+") + std::string(reason.name);
  }
  if ((*bits & ~named) != 0) names += (names.empty() ? "" : "+") + fmt::format("bits_{:x}", *bits & ~named);
  return names.empty() ? "none" : names;
}

}  // namespace

std::vector<GpuReadings> gpus_of_this_process(Nvml* nvml) {
  if (nvml == nullptr) return {};
  const auto* const list = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible_gpus_of(nvml->read_all(), list == nullptr ? std::nullopt : std::optional<std::string>(list));
}

Sampler::Sampler(const Options& options)
    : options_(options), tree_(options.tree, ::getpid()), sources_(options.folder + "/events.jsonl") {
  if (options.gpu) {
    nvml_ = Nvml::open(no_driver_);
    gpus_ = gpus_of_this_process(nvml_.get());
    if (nvml_ && gpus_.empty()) no_driver_ = "the driver reports no GPU for this process";
  }
  cgroup_ = find_memory_cgroup(os::proc_file("/proc/self/cgroup").value_or(""),
                               os::proc_file("/proc/self/mountinfo").value_or(""));
  cpu_before_ = parse_cpu_table(os::proc_file("/proc/stat").value_or(""));
  std::string cpu_header = "time,all_pct";
  if (cpu_before_) {
    for (const auto& [core, ticks] : cpu_before_->cores) {
      cores_.push_back(core);
      cpu_header += fmt::format(",core{}_pct", core);
    }
  }
  const auto file = [&](const char* name, const std::string& header) {
    return std::make_unique<SampleWriter>(fmt::format("{}/{}_metrics.csv", options.folder, name), header);
  };
  gpu_file_ = file("gpu",
                   "time,gpu,utilization_gpu_pct,utilization_memory_pct,memory_used_mib,memory_total_mib,temperature_c,"
                   "power_w,clock_sm_mhz,clock_memory_mhz,throttle_reasons,late_ms");
  cpu_file_ = file("cpu", cpu_header + ",load1,load5,load15,late_ms");
  ram_file_ = file("ram", "time,total_mib,used_mib,available_mib,cgroup_used_mib,cgroup_limit_mib,oom_kills,late_ms");
  process_file_ = file("process", "time,processes,threads,cpu_pct,rss_mib,read_mib,written_mib,gpu_memory_mib,late_ms");
}

std::optional<double> Sampler::sample_gpus(double time, const std::string& late, const TreeUse& tree) {
  if (!options_.gpu) return std::nullopt;
  sources_.saw("gpu", time, gpus_.empty() ? no_driver_ : "");
  bool known = !gpus_.empty();
  double sum = 0;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const auto& bus = gpus_[i].pci_bus_id;
    const auto use = nvml_->read_use(bus);
    sources_.saw(fmt::format("gpu {}", i), time, use.numbers.empty() ? "the driver does not report it" : "");
    gpu_file_->row(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", stamp(time), i,
                               reading(use, "utilization_gpu_pct"), reading(use, "utilization_memory_pct"),
                               reading(use, "memory_used_bytes", mib, 1), reading(use, "memory_total_bytes", mib),
                               reading(use, "temperature_c"), reading(use, "power_mw", 1000, 1),
                               reading(use, "clock_sm_mhz"), reading(use, "clock_memory_mhz"), reasons_of(use), late));
    if (use.numbers.empty()) {
      known = false;
      continue;
    }
    const auto memory = tree_gpu_memory_.sample(*nvml_, bus, use["memory_used_bytes"], tree.pids);
    sources_.saw(fmt::format("processes of gpu {}", i), time, memory.why);
    known = known && memory.bytes;
    if (memory.bytes) sum += static_cast<double>(*memory.bytes) / mib;
  }
  return known ? std::optional(sum) : std::nullopt;
}

void Sampler::sample_cpu(double time, const std::string& late) {
  if (time - cpu_time_ < shortest) return;
  cpu_time_ = time;
  const auto table = parse_cpu_table(os::proc_file("/proc/stat").value_or(""));
  sources_.saw("cpu", time, table ? "" : "/proc/stat can't be read");
  std::string row = stamp(time);
  const auto add = [&](const CpuTicks* before, const CpuTicks* after) {
    row += "," + field(before != nullptr && after != nullptr ? busy_percent(*before, *after) : std::nullopt, 1);
  };
  add(cpu_before_ ? &cpu_before_->all : nullptr, table ? &table->all : nullptr);
  const auto find = [](const std::optional<CpuTable>& in, int core) -> const CpuTicks* {
    if (!in) return nullptr;
    const auto found = in->cores.find(core);
    return found == in->cores.end() ? nullptr : &found->second;
  };
  for (const int core : cores_) add(find(cpu_before_, core), find(table, core));
  if (table) cpu_before_ = table;
  double load[3] = {};
  const bool known = ::getloadavg(load, 3) == 3;
  for (const double value : load) row += "," + field(known ? std::optional(value) : std::nullopt, 2);
  cpu_file_->row(row + "," + late);
}

void Sampler::sample_ram(double time, const std::string& late) {
  const auto memory = parse_host_memory(os::proc_file("/proc/meminfo").value_or(""));
  const auto cgroup = read_cgroup_memory(cgroup_);
  sources_.saw("ram", time, memory ? "" : "/proc/meminfo can't be read");
  sources_.saw("cgroup", time,
               cgroup.oom_kills         ? ""
               : cgroup_.folder.empty() ? "this process has no visible memory cgroup"
                                        : fmt::format("{} has no readable oom_kill counter", cgroup_.folder));
  const auto in_mib = [](const std::optional<std::uint64_t>& bytes) {
    return field(bytes ? std::optional(static_cast<double>(*bytes) / mib) : std::nullopt, 1);
  };
  const auto of = [&](std::uint64_t bytes) { return memory ? in_mib(bytes) : std::string(); };
  ram_file_->row(fmt::format("{},{},{},{},{},{},{},{}", stamp(time), of(memory ? memory->total : 0),
                             of(memory ? memory->used() : 0), of(memory ? memory->available : 0),
                             in_mib(cgroup.used_bytes), in_mib(cgroup.limit_bytes),
                             cgroup.oom_kills ? std::to_string(*cgroup.oom_kills) : "", late));
}

void Sampler::sample(std::optional<std::chrono::milliseconds> late_by) {
  const double time = now();
  const auto late = late_by ? std::to_string(late_by->count()) : std::string();
  const auto tree = tree_.sample();
  const auto gpu_memory = sample_gpus(time, late, tree);
  sample_cpu(time, late);
  sample_ram(time, late);
  const double elapsed = tree_before_ ? time - tree_before_->first : 0;
  const auto percent =
      elapsed >= shortest ? std::optional(100 * (tree.cpu_seconds - tree_before_->second) / elapsed) : std::nullopt;
  if (!tree_before_ || percent) tree_before_ = {time, tree.cpu_seconds};
  const auto in_mib = [](const std::optional<std::uint64_t>& bytes) {
    return field(bytes ? std::optional(static_cast<double>(*bytes) / mib) : std::nullopt, 1);
  };
  process_file_->row(
      fmt::format("{},{},{},{},{},{},{},{},{}", stamp(time), tree.pids.size(), tree.threads, field(percent, 1),
                  in_mib(tree.rss_bytes), in_mib(tree.io ? std::optional(tree.io->read) : std::nullopt),
                  in_mib(tree.io ? std::optional(tree.io->written) : std::nullopt), field(gpu_memory, 1), late));
}

bool Sampler::flush() {
  bool well = true;
  for (auto* file : {gpu_file_.get(), cpu_file_.get(), ram_file_.get(), process_file_.get()}) well &= file->flush();
  return well;
}

void Sampler::describe(const std::string& title) {
  const auto path = options_.folder + "/system_info.txt";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "ae"), std::fclose);
  if (!file) return;
  const auto load = os::proc_file("/proc/loadavg").value_or("unknown\n");
  const auto memory = parse_host_memory(os::proc_file("/proc/meminfo").value_or(""));
  auto text = fmt::format("--- {} ---\n{}\nload {}", title, utc_time(current_time()), load);
  if (memory) {
    text += fmt::format("memory {:.0f} MiB, used {:.0f} MiB\n", static_cast<double>(memory->total) / mib,
                        static_cast<double>(memory->used()) / mib);
  }
  if (options_.gpu && gpus_.empty()) text += fmt::format("no GPU: {}\n", no_driver_);
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const auto use = nvml_->read_use(gpus_[i].pci_bus_id);
    text += fmt::format("gpu {}, {}, {} MiB, {} C, {} W, {} MHz, {} %, {} %\n", i, gpus_[i].model,
                        reading(use, "memory_used_bytes", mib), reading(use, "temperature_c"),
                        reading(use, "power_mw", 1000, 1), reading(use, "clock_sm_mhz"),
                        reading(use, "utilization_gpu_pct"), reading(use, "utilization_memory_pct"));
  }
  std::fputs(text.c_str(), file.get());
}

void Sampler::finish() {
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const double used = processor_seconds_of_all_threads();
  sources_.say(json_dump(nlohmann::ordered_json{{"time", now()}, {"event", "end"}, {"cpu_s", used}, {"wall_s", wall}}));
}

}  // namespace rv::workers
