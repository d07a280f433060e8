// rv-stress: runs many workers at once on this node's GPUs, and checks whether each makes progress and what they leave
// behind.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "workers/devices/command_line.h"
#include "workers/report/report_file.h"
#include "workers/stress/load_size.h"
#include "workers/stress/stress.h"
#include "workers/stress/worker.h"

namespace rv::workers {
namespace {

struct Options {
  StressOrder stress;
  WorkerOrder worker;
  std::optional<std::uint64_t> memory;
  std::optional<double> reference;
  std::string device = "gpu", report_dir;
  bool json = false, judged_later = false, works = false;
};

constexpr auto examples = R"(
Examples:
  rv-stress                                      two workers per GPU for a minute
  rv-stress --workers 12 --duration 90           twelve, distributed over the GPUs in turn
  rv-stress --device cpu --duration 2            on the CPU
  rv-stress --skip-stress --report-dir out -- python launch.py
                                                 your own program on one GPU, all, none, and some

Each worker multiplies its own square matrices; one operation is C = (tanh(relu(A·B)) + A) × B, where × multiplies
element by element. A value that can't be read is a skip with the reason not_available: it neither passes nor fails.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 something could not be checked, 4 the workers do not fit
(nothing was started), 77 something was skipped and nothing failed, 126 the program after -- can't be executed, 127 it
does not exist, 128 + N signal N ended rv-stress.)";

int run(Options& options) {
  auto& order = options.stress;
  order.gpu = options.device == "gpu";
  // On a CPU, too, an operation should take tenths of a second.
  order.memory_mib = options.memory.value_or(order.gpu ? 256 : 1);
  order.reference = options.reference.value_or(std::min(10.0, order.duration / 4));
  order.folder = options.report_dir.empty() ? "." : options.report_dir;
  if (options.works) {
    options.worker.gpu = order.gpu;
    if (!order.inject.empty()) options.worker.fault = fault_from(order.inject);
    return work(options.worker);
  }
  if (!order.inject.empty()) fault_from(order.inject);
  catch_signals();
  const ReportFile file(options.report_dir, "rv-stress");
  order.says_progress = options.judged_later;
  auto report = file.report(options.json, !options.judged_later);
  const auto code = run_stress(order, report);
  return code_if_written(report, "rv-stress", options.judged_later && code <= 128 ? 0 : code);
}

void add_options(CLI::App& app, Options& options) {
  auto& order = options.stress;
  app.add_option("--workers", order.workers, "number of processes (default: 2 per GPU; on the CPU 2)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--duration", order.duration, "duration of each worker's run, in seconds (default: 60)")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--memory", options.memory,
                 "size of each of a worker's three matrices, in MiB (default: 256; on the CPU 1)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 22U));
  app.add_option("--device", options.device, "gpu or cpu (default: gpu)")
      ->check(CLI::IsMember({"gpu", "cpu"}))
      ->transform([](const std::string& text) { return text == "cuda" ? std::string("gpu") : text; });
  app.add_option(
         "--reference", options.reference,
         "seconds of a first measurement on one GPU, for the scaling (default: a quarter, at most 10; 0 skips it)")
      ->check(CLI::Range(0.0, 3600.0));
  app.add_option("--silence", order.silence,
                 "seconds without a heartbeat after which a worker counts as hung (default: 30)")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--start-limit", order.start_limit, "time limit of a worker's start, in seconds (default: 120)")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_flag("--skip-stress", order.skip_stress, "run only the program after --");
  app.add_option("--subset", order.subsets, "GPUs for that program, by position: 0,2 (default: every second)")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--launch-timeout", order.launch_timeout,
                 "time limit of each run of that program, in seconds (default: 300)")
      ->check(CLI::Range(0.1, 864000.0));
  app.add_option("--report-dir", options.report_dir,
                 "folder for JSON lines (rv-stress.HOST.PID.jsonl) and that program's output (launch-NAME.HOST.log)");
  app.add_flag("--json", options.json, "print JSON lines instead of text");
  app.add_flag("--judged-later", options.judged_later, "exit with 0 when the report is complete")->group("");
  app.add_option("--nodes", order.nodes)->group("");
  app.add_option("--inject", order.inject)->group("");
  app.add_option("--worker", options.worker.worker)->group("");
  app.add_option("--side", options.worker.side)->group("");
  app.add_option("launch", order.launch, "your own program and its arguments, to run on GPUs");
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  CLI::App app("Runs many workers at once on this node's GPUs, and finds what they leave behind.", "rv-stress");
  rv::workers::Options options;
  app.footer(rv::workers::examples);
  app.positionals_at_end();
  add_options(app, options);
  return rv::workers::run_program(
      app, argc, argv, [&] { options.works = app.count("--worker") > 0; }, [&] { return rv::workers::run(options); });
}
