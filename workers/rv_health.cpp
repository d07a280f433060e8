// rv-health: reads the state of this node's GPUs from the driver, and reports what is wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "shared/documents/json_or_discard.h"
#include "workers/devices/command_line.h"
#include "workers/devices/dynamic_library.h"
#include "workers/devices/library_versions.h"
#include "workers/devices/visible_gpus.h"
#include "workers/health/fabric.h"
#include "workers/health/gpu_sampler.h"
#include "workers/health/health.h"
#include "workers/health/infiniband.h"
#include "workers/health/node_facts.h"
#include "workers/report/report_file.h"
#include "workers/system/regular_file.h"

namespace rv::workers {
namespace {

struct Options : ReportOptions {
  std::filesystem::path before;
  double watch = 0;
  bool expect_empty = false;
};

constexpr auto examples = R"(
Examples:
  rv-health                                      the state of every GPU of this node
  rv-health --expect-empty                       before a job: processes and memory in use are findings
  rv-health --json > before.jsonl; rv-compute; rv-health --before before.jsonl
                                                 by how much the counters have grown meanwhile
  rv-health --watch 30                           throttling, clocks, power and temperature over half a minute

A value that can't be read is a skip with the reason not_available: it neither passes nor fails.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be checked,
77 something was skipped and nothing failed (0 with --allow-skip).)";

/// The content of an earlier report: GPUs by UUID, and ports.
struct Earlier {
  std::map<std::string, GpuReadings> gpus;
  std::vector<InfinibandPort> ports;
};

/// Reads an earlier report. Throws std::runtime_error if `path` has no readings of GPUs.
Earlier read_earlier(const std::filesystem::path& path) {
  Earlier all;
  std::istringstream lines(read_regular_file(path, std::uint64_t{64} << 20));
  for (std::string line; std::getline(lines, line);) {
    const auto json = parse_json_or_discard<nlohmann::ordered_json>(line);
    if (!json.is_object() || json.value("kind", "") != "environment" || !json.contains("readings")) continue;
    for (const auto& one : json["readings"]) {
      auto readings = readings_from_json(one);
      all.gpus[readings.uuid] = std::move(readings);
    }
    // Reports of earlier versions don't have this member.
    if (!json.contains("infiniband")) continue;
    for (const auto& port : json["infiniband"]) all.ports.push_back(infiniband_port_from_json(port));
  }
  if (all.gpus.empty())
    throw std::runtime_error(fmt::format("{} does not contain a report of rv-health", path.string()));
  return all;
}

Measurement watched(const Device& device, GpuSampler& sampler) {
  Measurement m;
  m.suite = "health";
  m.name = "watch";
  m.device = device;
  const auto& samples = sampler.stop();
  m.params = summarize_load(samples);
  const bool known = !m.params["throttled_seconds"].is_null();
  m.reason = known ? harmful_throttling(samples) : "not_available";
  m.verdict = !known ? Verdict::skip : m.reason.empty() ? Verdict::pass : Verdict::fail;
  return m;
}

/// The readings that the driver and the kernel give this process.
struct Seen {
  std::optional<std::string> driver;  // its version; nothing: no driver
  std::string reason;                 // why there is no driver
  std::vector<GpuReadings> readings;
  std::vector<InfinibandPort> ports;
  std::map<std::string, std::string> facts;  // of the node
};

Seen read_driver() {
  Seen seen;
  seen.ports = read_infiniband();
  seen.facts = node_facts();
  const auto nvml = Nvml::open(seen.reason);
  const auto* const list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (nvml) seen.driver = nvml->driver_version();
  seen.readings = visible_gpus_of(nvml ? nvml->read_all() : std::vector<GpuReadings>(),
                                  list == nullptr ? std::nullopt : std::optional<std::string>(list));
  return seen;
}

void report_environment(Report& report, const Seen& seen) {
  const auto versions = library_versions();
  auto json = nlohmann::ordered_json{{"kind", "environment"}};
  json["driver"] = seen.driver ? nlohmann::ordered_json(*seen.driver) : nlohmann::ordered_json();
  json["versions"] = versions;
  json["libraries"] = libraries_taken();
  json["readings"] = nlohmann::ordered_json::array();
  for (const auto& one : seen.readings) json["readings"].push_back(to_json(one));
  json["infiniband"] = nlohmann::ordered_json::array();
  for (const auto& port : seen.ports) json["infiniband"].push_back(to_json(port));
  json["node"] = seen.facts;
  auto text = fmt::format("driver {}\n", seen.driver.value_or("none"));
  for (const auto& [name, value] : versions.items()) {
    text += fmt::format("{} {}\n", name, value.is_string() ? value.get<std::string>() : "not available");
  }
  for (const auto& library : libraries_taken()) text += fmt::format("loaded: {}\n", library);
  report.environment(json, text);
}

Measurement no_gpu(const Seen& seen) {
  Measurement m;
  m.suite = "device";
  m.name = "gpu";
  m.device.model = "none";
  m.verdict = Verdict::skip;
  m.reason = "no_gpu";
  m.params["detail"] = seen.driver ? "the driver reports no GPU for this process" : seen.reason;
  return m;
}

Measurement lost_gpu(const std::string& model, const std::string& uuid) {
  Measurement m;
  m.suite = "health";
  m.name = "gpu";
  m.device.model = model;
  m.device.uuid = uuid;
  m.verdict = Verdict::fail;
  m.reason = "this GPU is missing; the earlier report has it";
  return m;
}

Device device_of(const GpuReadings& readings, int index) {
  Device device;
  device.index = index;
  device.model = readings.model;
  device.uuid = readings.uuid;
  device.pci_bus_id = readings.pci_bus_id;
  return device;
}

void report_lost(Report& report, const std::map<std::string, GpuReadings>& before,
                 const std::vector<GpuReadings>& now) {
  for (const auto& [uuid, old] : before) {
    const bool there = std::any_of(now.begin(), now.end(), [&id = uuid](const auto& one) { return one.uuid == id; });
    if (!there) report.add(lost_gpu(old.model, uuid));
  }
}

int run(const Options& options) {
  const ReportFile file(options.report_dir, "rv-health");
  auto report = file.report(options.json);
  const auto before = options.before.empty() ? Earlier() : read_earlier(options.before);

  const auto seen = read_driver();
  report_environment(report, seen);
  if (seen.readings.empty()) report.add(no_gpu(seen));
  std::vector<Device> devices;
  std::vector<std::unique_ptr<GpuSampler>> samplers;
  for (const auto& one : seen.readings) {
    devices.push_back(device_of(one, static_cast<int>(devices.size())));
    const auto old = before.gpus.find(one.uuid);
    const auto earlier_readings = old == before.gpus.end() ? std::nullopt : std::optional(old->second);
    for (auto& m : judge_health(devices.back(), one, earlier_readings, options.expect_empty)) report.add(std::move(m));
    if (options.watch > 0) samplers.push_back(std::make_unique<GpuSampler>(one.pci_bus_id));
  }
  report_lost(report, before.gpus, seen.readings);
  if (auto cliques = judge_cliques(seen.readings)) report.add(std::move(*cliques));
  for (auto& m : judge_infiniband(seen.ports, before.ports)) report.add(std::move(m));
  if (!samplers.empty()) std::this_thread::sleep_for(std::chrono::duration<double>(options.watch));
  for (std::size_t i = 0; i < samplers.size(); ++i) report.add(watched(devices[i], *samplers[i]));
  if (!seen.readings.empty()) report.add(judge_xids(read_xids()));

  return code_if_written(report, "rv-health", exit_code(report.finish(), options.allow_skip));
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  CLI::App app("Reads the driver's data about this node's GPUs and judges it.", "rv-health");
  rv::workers::Options options;
  app.footer(rv::workers::examples);
  app.add_option("--before", options.before, "an earlier JSON report of rv-health: counters are judged by their growth")
      ->check(CLI::ExistingFile);
  app.add_option("--watch", options.watch, "seconds to observe clocks, power, temperature and throttling")
      ->check(CLI::Range(0.2, 86400.0));
  app.add_flag("--expect-empty", options.expect_empty, "processes or memory in use are findings");
  describe(app, options);
  return rv::workers::run_program(app, argc, argv, nullptr, [&] { return rv::workers::run(options); });
}
