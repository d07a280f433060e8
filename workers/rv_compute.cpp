// rv-compute: checks the GPUs of one node by computing, and measures their speed.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <barrier>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "workers/compute/compute_suites.h"
#include "workers/devices/command_line.h"
#include "workers/ranks/watchdog.h"
#include "workers/report/report_file.h"

namespace rv::workers {
namespace {

struct Options : ReportOptions {
  std::string device = "auto";
  std::vector<std::string> types, suites;
  std::optional<std::size_t> size;
  std::optional<double> duration;
  double deadline = 300;
  bool quick = false, all_at_once = false, memtest = false;
};

constexpr auto examples = R"(
Examples:
  rv-compute --quick                             every suite on every GPU, briefly
  rv-compute --suite gemm --types bf16,fp8       two products, every GPU in turn
  rv-compute --suite gemm --duration 60 --all-at-once
                                                 a minute of load per type on all GPUs at the same time
  rv-compute --suite memory                      patterns over all free memory of every GPU
  rv-compute --device cpu --quick                the same suites on the CPU

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be measured,
77 something was skipped and nothing failed (0 with --allow-skip).)";

void describe(CLI::App& app, Options& options) {
  app.footer(examples);
  describe_device(app, options.device);
  app.add_option(
         "--suite", options.suites,
         fmt::format("{} (default: {})", fmt::join(compute_suites(), ", "), fmt::join(compute_suites(true), ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(compute_suites()));
  app.add_flag("--memtest", options.memtest, "also test the free memory with patterns (suite memory)");
  app.add_option("--types", options.types, "fp64, fp32, tf32, fp16, bf16, fp8 (default: all that the device has)")
      ->delimiter(',')
      ->check(CLI::IsMember({"fp64", "fp32", "tf32", "fp16", "bf16", "fp8"}));
  app.add_option("--size", options.size, "N of the N x N products (default: 8192, fp64 4096; on the CPU 1024)")
      ->check(CLI::Range(std::size_t{16}, std::size_t{65536}));
  app.add_flag("--quick", options.quick, "shorter measurements, smaller arrays");
  app.add_option("--duration", options.duration, "seconds of load per product figure")->check(CLI::Range(0.1, 86400.0));
  app.add_option("--deadline", options.deadline, "seconds after which a GPU without a result is given up")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  app.add_flag("--all-at-once", options.all_at_once, "measure on all GPUs at the same time instead of one by one");
  describe(app, static_cast<ReportOptions&>(options));
}

ComputeRequest request_of(const Options& options) {
  ComputeRequest request;
  request.quick = options.quick;
  request.size = options.size;
  request.duration = options.duration;
  for (const auto& name : options.types) request.types.push_back(*number_type(name));
  if (!options.suites.empty()) request.suites = options.suites;
  const auto has_memory = std::find(request.suites.begin(), request.suites.end(), "memory") != request.suites.end();
  if (options.memtest && !has_memory) request.suites.emplace_back("memory");
  return request;
}

nlohmann::ordered_json to_json(const Options& options) {
  nlohmann::ordered_json json = {{"device", options.device},
                                 {"suites", options.suites},
                                 {"types", options.types},
                                 {"quick", options.quick},
                                 {"json", options.json},
                                 {"allow_skip", options.allow_skip},
                                 {"all_at_once", options.all_at_once},
                                 {"memtest", options.memtest}};
  if (options.size) json["size"] = *options.size;
  if (options.duration) json["duration_seconds"] = *options.duration;
  return json;
}

Measurement no_device(const Device& device, std::string name, Verdict verdict, std::string reason,
                      const std::string& detail) {
  Measurement m;
  m.suite = "device";
  m.name = std::move(name);
  m.device = device;
  m.verdict = verdict;
  m.reason = std::move(reason);
  if (!detail.empty()) m.params["detail"] = detail;
  return m;
}

/// Runs one thread per GPU if all measure at once, else this thread measures them in turn. If a GPU yields no figure
/// for `patience`, the process reports it and ends: nothing else frees a thread that waits for a GPU.
void run_gpus(const std::vector<Device>& gpus, const ComputeRequest& request, bool all_at_once,
              std::chrono::milliseconds patience, Report& report) {
  std::mutex mutex;  // the report, the fingerprints and the counts are shared by the threads
  std::vector<Fingerprint> fingerprints;
  std::map<int, int> figures;
  std::set<int> finished;
  const auto stuck = [&] {
    const std::lock_guard lock(mutex);
    int fewest = std::numeric_limits<int>::max();
    for (const auto& gpu : gpus) {
      if (finished.count(gpu.index) == 0) fewest = std::min(fewest, figures[gpu.index]);
    }
    for (const auto& gpu : gpus) {
      if (finished.count(gpu.index) > 0 || figures[gpu.index] != fewest) continue;
      const auto why = fmt::format("no figure for {} s after {} figures", patience.count() / 1000, fewest);
      report.add(no_device(gpu, "stuck", Verdict::error, why, ""));
      if (!all_at_once) break;  // the others have not begun
    }
    report.finish();
    std::fflush(nullptr);
    _exit(exit_code(Verdict::error, false));
  };
  Watchdog watchdog(patience, stuck);
  const auto emit = [&](Measurement m) {
    const std::lock_guard lock(mutex);
    ++figures[m.device.index];
    report.add(std::move(m));
    watchdog.progress();
  };
  const auto run_one = [&](const Device& gpu, const std::function<void()>& together) {
    try {
      const auto backend = cuda_backend(gpu);
      auto mine = run_suites(*backend, request, emit, together);
      const std::lock_guard lock(mutex);
      fingerprints.insert(fingerprints.end(), mine.begin(), mine.end());
    } catch (const std::exception& error) {
      emit(no_device(gpu, "start", Verdict::error, error.what(), ""));
    }
    const std::lock_guard lock(mutex);
    finished.insert(gpu.index);
  };
  if (all_at_once) {
    std::barrier barrier(static_cast<std::ptrdiff_t>(gpus.size()));
    std::vector<std::jthread> threads;
    threads.reserve(gpus.size());
    for (const auto& gpu : gpus) {
      threads.emplace_back([&, gpu] {
        run_one(gpu, [&] { barrier.arrive_and_wait(); });
        barrier.arrive_and_drop();  // a GPU that could not start must not hold up the others
      });
    }
  } else {
    for (const auto& gpu : gpus) run_one(gpu, [] {});
  }
  for (auto& m : compare_across(fingerprints)) report.add(std::move(m));
}

int run(const Options& options) {
  const ReportFile file(options.report_dir, "rv-compute");
  auto report = file.report(options.json);

  const bool want_gpus = options.device != "cpu";
  auto gpus = want_gpus ? visible_gpus() : Gpus{};
  if (!want_gpus) gpus.detail = "GPUs were not requested (--device cpu)";
  const auto request = request_of(options);
  report.environment(gpus, to_json(options));

  bool on_cpu = !want_gpus;
  if (want_gpus && !gpus.reason.empty()) {
    const bool skip = gpus.reason == "no_gpu" || gpus.reason == "no_cuda_build";
    Device none;
    none.model = "none";
    report.add(no_device(none, "gpu", skip ? Verdict::skip : Verdict::error, gpus.reason, gpus.detail));
    on_cpu = skip && options.device == "auto";
  } else if (want_gpus) {
    const auto patience = std::chrono::duration<double>(options.deadline + options.duration.value_or(0));
    run_gpus(gpus.devices, request, options.all_at_once,
             std::chrono::duration_cast<std::chrono::milliseconds>(patience), report);
  }
  if (on_cpu) {
    const auto backend = cpu_backend();
    run_suites(
        *backend, request, [&](Measurement m) { report.add(std::move(m)); }, [] {});
  }
  const auto code = exit_code(report.finish(), options.allow_skip);
  return code_if_written(report, "rv-compute", code);
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  CLI::App app("Computes on the GPUs of this node, checks every result and measures speed.", "rv-compute");
  rv::workers::Options options;
  describe(app, options);
  return rv::workers::run_program(app, argc, argv, nullptr, [&] { return rv::workers::run(options); });
}
