#include "workers/stress/stress.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "shared/system/process_table.h"
#include "workers/devices/node_name.h"
#include "workers/report/report.h"
#include "workers/stress/descendants.h"
#include "workers/stress/fit.h"
#include "workers/stress/footprint.h"
#include "workers/stress/launcher.h"
#include "workers/stress/load_size.h"
#include "workers/stress/worker.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

std::atomic<int> signal_that_came = 0;

bool interrupted() {
  return signal_that_came != 0;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// Data that all parts of the test need.
struct Scene {
  const StressOrder& order;
  Report& report;
  std::unique_ptr<Nvml> nvml;
  std::vector<GivenGpu> gpus;
  int workers = 0;
  bool driver_lists_pids = false;
};

Device device_at(const Scene& scene, int gpu) {
  return gpu < 0 ? host_processor() : scene.gpus[static_cast<std::size_t>(gpu)].device;
}

Measurement blank(const std::string& suite, const std::string& name, const Device& device) {
  Measurement m;
  m.suite = suite;
  m.name = name;
  m.device = device;
  m.verdict = Verdict::pass;
  return m;
}

void describe(const Scene& scene) {
  const auto& order = scene.order;
  const auto side = matrix_side(order.memory_mib);
  Json json{{"kind", "environment"}, {"host", node_name()}};
  json["driver"] = scene.nvml ? Json(scene.nvml->driver_version()) : Json();
  json["began"] =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  json["device"] = order.gpu ? "gpu" : "cpu";
  json["nodes"] = order.nodes;
  json["request"] = {{"workers", scene.workers}, {"duration_s", order.duration},     {"memory_mib", order.memory_mib},
                     {"matrix", side},           {"worker_bytes", load_bytes(side)}, {"stress", !order.skip_stress},
                     {"launch", order.launch}};
  json["gpus"] = Json::array();
  auto text = fmt::format("host {}\n", node_name());
  for (const auto& gpu : scene.gpus) {
    json["gpus"].push_back({{"index", gpu.device.index},
                            {"uuid", gpu.device.uuid},
                            {"model", gpu.device.model},
                            {"memory_bytes", gpu.device.memory_bytes},
                            {"free_bytes", or_null(gpu.free_bytes)},
                            {"slice", gpu.is_slice},
                            {"entry", gpu.entry}});
    text += fmt::format("gpu {}: {}, {}\n", gpu.device.index, gpu.device.model, gpu.device.uuid);
  }
  if (!order.skip_stress) {
    text += fmt::format("{} workers for {} s, each three matrices of {} x {} ({} bytes)\n", scene.workers,
                        order.duration, side, side, load_bytes(side));
  }
  scene.report.environment(json, text);
}

CrewOrder crew_order(const Scene& scene) {
  const auto& order = scene.order;
  CrewOrder crew;
  crew.workers.resize(static_cast<std::size_t>(scene.workers));
  std::iota(crew.workers.begin(), crew.workers.end(), 0);
  crew.gpus = scene.gpus;
  crew.side = matrix_side(order.memory_mib);
  crew.seconds = order.duration;
  crew.silence = order.silence;
  crew.start_limit = order.start_limit;
  crew.end_limit = order.end_limit;
  crew.inject = order.inject;
  return crew;
}

double rate_of(const CrewEnd& end) {
  return std::accumulate(end.workers.begin(), end.workers.end(), 0.0,
                         [](double sum, const auto& one) { return sum + one.rate(); });
}

/// What the first GPU's workers, or on the CPU the first worker, do by themselves.
struct Reference {
  double rate = 0;      ///< operations per second; 0: unknown
  std::string without;  ///< why it is unknown
  bool failed = false;  ///< for a fault, not because the time was too short
};

/// Nothing: there is nothing to compare with, or it was interrupted.
std::optional<Reference> work_alone(Scene& scene, std::set<unsigned>& pids) {
  const auto gpus = static_cast<int>(scene.gpus.size());
  if (scene.order.reference <= 0 || (gpus > 0 ? gpus : scene.workers) < 2) return std::nullopt;
  auto crew = crew_order(scene);
  crew.seconds = scene.order.reference;
  crew.inject.clear();
  std::erase_if(crew.workers, [&](int worker) { return gpus > 0 ? worker % gpus != 0 : worker != 0; });
  const auto end = run_crew(crew, scene.nvml.get(), interrupted);
  if (interrupted() || end.workers.empty()) return std::nullopt;
  Reference reference;
  for (const auto& one : end.workers) {
    pids.insert(static_cast<unsigned>(one.pid));
    if (one.kind == WorkerEnd::Kind::done || !reference.without.empty()) continue;
    reference.without = one.reason;
    reference.failed = one.cause != no_operation;
  }
  if (reference.without.empty()) reference.rate = rate_of(end);
  return reference;
}

void report_worker(Scene& scene, const WorkerEnd& end) {
  auto m = blank("stress", fmt::format("worker {}", end.worker), device_at(scene, end.gpu));
  m.value = end.rate();
  m.unit = "ops/s";
  m.params["worker"] = end.worker;
  m.params["pid"] = end.pid;
  m.params["end"] = kind_name(end.kind);
  if (!end.cause.empty()) m.params["cause"] = end.cause;
  m.params["operations"] = end.operations;
  m.params["seconds"] = end.seconds;
  m.params["processor_share"] = end.processor_share;
  m.params["gpu_peak_bytes"] = or_null(end.gpu_peak_bytes);
  m.params["rss_peak_bytes"] = end.rss_peak_bytes;
  const bool well = end.kind == WorkerEnd::Kind::done;
  m.verdict = well ? Verdict::pass : end.kind == WorkerEnd::Kind::cut_off ? Verdict::error : Verdict::fail;
  m.reason = end.reason;
  scene.report.add(m);
}

void report_gpus(Scene& scene, const CrewEnd& end) {
  const auto places = std::max<std::size_t>(scene.gpus.size(), 1);
  for (std::size_t place = 0; place < places; ++place) {
    const int gpu = scene.gpus.empty() ? -1 : static_cast<int>(place);
    auto m = blank("stress", "together", device_at(scene, gpu));
    int workers = 0;
    std::int64_t operations = 0;
    double rate = 0, share = 0;
    for (const auto& one : end.workers) {
      if (one.gpu != gpu) continue;
      ++workers;
      operations += one.operations;
      rate += one.rate();
      share += one.processor_share;
    }
    m.value = rate;
    m.unit = "ops/s";
    m.params["workers"] = workers;
    m.params["operations"] = operations;
    const auto use = gpu < 0 ? GpuUse{} : end.gpus[place];
    m.params["utilisation_percent"] = gpu < 0 ? Json(100 * share / std::max(workers, 1)) : or_null(use.busy_percent);
    m.params["memory_peak_bytes"] = or_null(use.peak_bytes);
    scene.report.add(m);
  }
}

void report_scaling(Scene& scene, const CrewEnd& end, const Reference& alone) {
  auto m = blank("stress", "scaling", host_processor());
  m.params["over"] = scene.gpus.empty() ? "one worker" : "one GPU";
  if (alone.rate > 0) {
    m.value = rate_of(end) / alone.rate;
    m.params["alone_ops_per_s"] = alone.rate;
  } else {
    m.reason = fmt::format("{} by itself: {}", scene.gpus.empty() ? "one worker" : "one GPU", alone.without);
    if (alone.failed) m.verdict = Verdict::fail;
  }
  m.params["together_ops_per_s"] = rate_of(end);
  scene.report.add(m);
}

void stress(Scene& scene) {
  if (scene.order.says_progress) {
    fmt::print(stderr, "{} workers for {} s\n", scene.workers, scene.order.duration + scene.order.reference);
  }
  auto* const nvml = scene.nvml.get();
  const auto before = look_at_footprint(nvml, scene.gpus);
  Between between;
  const auto reference = work_alone(scene, between.pids);
  const auto end = interrupted() ? CrewEnd{} : run_crew(crew_order(scene), nvml, interrupted);
  const auto over = Clock::now();
  scene.driver_lists_pids = end.driver_lists_pids;
  for (const auto& worker : end.workers) {
    report_worker(scene, worker);
    between.pids.insert(static_cast<unsigned>(worker.pid));
    for (const auto& segment : worker.segments) between.makers[segment] = fmt::format("worker {}", worker.worker);
  }
  report_gpus(scene, end);
  if (reference) report_scaling(scene, end, *reference);
  os::reap_adopted({});
  for (const auto& left : descendants_left()) {
    const auto whose = left.worker ? fmt::format("of worker {}: ", *left.worker) : std::string();
    between.left_processes.push_back(
        fmt::format("{}{} ({}{})", whose, left.pid, left.command, left.zombie ? ", a zombie" : ""));
  }
  end_descendants(std::chrono::seconds(2));
  between.seconds_to_end = std::chrono::duration<double>(Clock::now() - over).count();
  for (auto& m : judge_footprint(before, between, nvml, scene.gpus)) scene.report.add(std::move(m));
}

bool refuse_what_does_not_fit(const Scene& scene) {
  const auto what = too_much(scene.workers, scene.order.memory_mib, scene.gpus);
  if (!what) return false;
  auto m = blank("stress", "fit", device_at(scene, what->gpu));
  m.verdict = Verdict::error;
  m.reason = to_text(*what);
  m.params["needed_bytes"] = what->needed_bytes;
  m.params["free_bytes"] = what->free_bytes;
  m.params["fits_mib"] = what->fits_mib;
  scene.report.add(m);
  return true;
}

/// Returns 0, or the exit code if the launcher can't be run as requested. Sets `configurations` to those to be run.
int refuse_launcher(const Scene& scene, std::vector<LaunchConfiguration>& configurations) {
  if (scene.order.launch.empty()) return 0;
  const auto trouble = launcher_trouble(scene.order.launch);
  auto code = trouble.exit_code;
  auto m = blank("launch", "launcher", host_processor());
  m.verdict = Verdict::error;
  m.reason = !trouble.interpreter.empty()
                 ? fmt::format("{} names an interpreter that does not exist: {}", trouble.program, trouble.interpreter)
             : code == 126 ? fmt::format("{} can't be executed", trouble.program)
                           : fmt::format("{}: no such program", trouble.program);
  if (!trouble.interpreter.empty()) m.params["interpreter"] = trouble.interpreter;
  try {
    configurations = launch_configurations(scene.gpus.size(), scene.order.subsets);
  } catch (const std::invalid_argument& fault) {
    code = 2;
    m.reason = fault.what();
  }
  if (code == 0) return 0;
  m.params["exit_code"] = code;
  scene.report.add(m);
  return code;
}

/// False: no GPU, which is a skip.
bool find_gpus(Scene& scene) {
  if (!scene.order.gpu) return true;
  std::string reason;
  scene.nvml = Nvml::open(reason);
  const char* const list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (scene.nvml)
    scene.gpus = given_gpus(*scene.nvml, list == nullptr ? std::nullopt : std::optional<std::string>(list));
  if (!scene.gpus.empty()) return true;
  auto m = blank("stress", "gpu", Device());
  m.device.model = "none";
  m.verdict = Verdict::skip;
  m.reason = "no_gpu";
  m.params["detail"] = scene.nvml ? "the driver reports no GPU for this process" : reason;
  describe(scene);
  scene.report.add(m);
  return false;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { signal_that_came = signal; };
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

int run_stress(const StressOrder& order, Report& report) {
  os::adopt_orphans();
  Scene scene{.order = order, .report = report, .nvml = nullptr, .gpus = {}, .workers = order.workers};
  if (!find_gpus(scene)) return exit_code(report.finish(), false);
  const auto gpus = static_cast<int>(scene.gpus.size());
  if (scene.workers == 0) scene.workers = gpus == 0 ? 2 : 2 * gpus;
  describe(scene);
  std::vector<LaunchConfiguration> configurations;
  int code = refuse_launcher(scene, configurations);
  if (code == 0 && !order.skip_stress && refuse_what_does_not_fit(scene)) code = does_not_fit;
  if (code == 0 && !order.skip_stress) stress(scene);
  if (code == 0 && !order.launch.empty() && !interrupted()) {
    const LaunchOrder launch{.argv = order.launch,
                             .folder = order.folder,
                             .seconds = order.launch_timeout,
                             .says_progress = order.says_progress,
                             .driver_lists_pids = scene.driver_lists_pids};
    for (auto& m : check_launches(launch, configurations, scene.nvml.get(), scene.gpus, interrupted)) {
      report.add(std::move(m));
    }
  }
  if (interrupted()) {
    auto m = blank("stress", "interrupted", host_processor());
    m.verdict = Verdict::error;
    m.reason = fmt::format("signal {} ended it", signal_that_came.load());
    report.add(m);
  }
  const auto verdict = report.finish();
  return interrupted() ? 128 + signal_that_came : code != 0 ? code : exit_code(verdict, false);
}

}  // namespace rv::workers
