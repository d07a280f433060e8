// rv-sample: samples a process tree and its machine once a second into CSV files.
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigtimedwait is POSIX
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "shared/documents/json_dump.h"
#include "shared/time_text.h"
#include "workers/devices/command_line.h"
#include "workers/devices/node_name.h"
#include "workers/sampling/gpu_curve.h"
#include "workers/sampling/sampler.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  Sampler::Options sampler;
  std::string device = "gpu";
  double every = 1;
  bool list = false;
  std::string curve;
};

constexpr auto examples = R"(
Examples:
  rv-sample --list                               the GPUs that a program started here would see
  rv-sample --folder out --tree 4711             sample the descendants of 4711 and this machine until SIGTERM
  rv-sample --folder out --tree $$ --every 0.1   ten times a second
  rv-sample --curve FILE                         one line per GPU every five seconds, later less often; for rv report

It writes gpu_metrics.csv, cpu_metrics.csv, ram_metrics.csv, process_metrics.csv, system_info.txt and events.jsonl, and
prints "ready" after the first sample. A value that can't be read is an empty field; events.jsonl has the time and the reason.

Exit codes: 0 done, 2 wrong usage, 3 the files could not be written, 77 --curve without a GPU.)";

int list() {
  std::string reason;
  const auto nvml = Nvml::open(reason);
  nlohmann::ordered_json document{
      {"node", node_name()},
      {"driver", nvml ? nlohmann::ordered_json(nvml->driver_version()) : nlohmann::ordered_json()},
      {"reason", reason}};
  document["gpus"] = nlohmann::ordered_json::array();
  for (const auto& gpu : gpus_of_this_process(nvml.get())) {
    nlohmann::ordered_json one{{"model", gpu.model}, {"uuid", gpu.uuid}};
    const auto total = gpu["memory_total_bytes"];
    one["memory_total_mib"] = total ? nlohmann::ordered_json(*total >> 20U) : nlohmann::ordered_json();
    document["gpus"].push_back(std::move(one));
  }
  fmt::print("{}\n", json_dump(document));
  return 0;
}

timespec to_timespec(Clock::duration span) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(span);
  timespec time{};
  time.tv_sec = static_cast<time_t>(whole.count());
  time.tv_nsec = static_cast<long>(std::chrono::nanoseconds(span - whole).count());
  return time;
}

/// Waits until `time`. Returns true if a signal ended the wait before.
bool ended_before(Clock::time_point time, const sigset_t& ends) {
  for (auto left = time - Clock::now(); left > Clock::duration::zero(); left = time - Clock::now()) {
    const auto wait = to_timespec(left);
    if (::sigtimedwait(&ends, nullptr, &wait) > 0) return true;
  }
  return false;
}

/// Ignores SIGINT and SIGHUP: they are meant for the parent process, which ends this process by SIGTERM. If the parent
/// dies, the kernel sends that SIGTERM. Returns the set of SIGTERM, which is blocked.
sigset_t only_sigterm_ends() {
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &ends, nullptr);
  return ends;
}

/// If a line can't be written, the curve has a gap, but the next line may succeed.
int draw(const std::string& path) {
  const auto ends = only_sigterm_ends();
  const auto curve = GpuCurve::open(node_name());
  if (!curve) return 77;
  const auto began = Clock::now();
  auto due = began;
  do {
    std::ofstream(path, std::ios::app) << curve->sample(current_time());
    due = Clock::now() + pause_after(std::chrono::floor<std::chrono::seconds>(Clock::now() - began));
  } while (!ended_before(due, ends));
  return 0;
}

int sample(const Options& options) {
  const auto ends = only_sigterm_ends();
  Sampler sampler(options.sampler);
  sampler.describe("Baseline");
  sampler.sample(std::nullopt);
  bool well = sampler.flush();
  fmt::print("ready\n");
  std::fflush(stdout);
  const auto every = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.every));
  const auto at_least = std::chrono::milliseconds(5);
  auto due = Clock::now() + every;
  auto flushed = Clock::now();
  while (!ended_before(due, ends)) {
    const auto late = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - due);
    const bool in_time = late <= std::max(std::chrono::duration_cast<std::chrono::milliseconds>(every / 10), at_least);
    sampler.sample(in_time ? std::nullopt : std::optional(late));
    if (Clock::now() - flushed >= std::chrono::milliseconds(900)) {
      well = sampler.flush() && well;
      flushed = Clock::now();
    }
    // Missed samples are skipped, so that the next one is in time again.
    do {
      due += every;
    } while (due <= Clock::now());
  }
  sampler.sample(std::nullopt);
  well = sampler.flush() && well;
  sampler.describe("Final");
  sampler.finish();
  return well ? 0 : 3;
}

}  // namespace
}  // namespace rv::workers

int main(int argc, char** argv) {
  CLI::App app("Samples GPUs, processors, memory and one process tree into files.", "rv-sample");
  rv::workers::Options options;
  app.footer(rv::workers::examples);
  app.add_flag("--list", options.list, "only print one JSON document about the GPUs");
  app.add_option("--folder", options.sampler.folder, "folder for the files")->check(CLI::ExistingDirectory);
  app.add_option("--curve", options.curve, "only append the GPUs' state to this file");
  app.add_option("--tree", options.sampler.tree, "PID: its descendants are sampled");
  app.add_option("--every", options.every, "seconds between two samples (default: 1)")->check(CLI::Range(0.01, 3600.0));
  app.add_option("--device", options.device, "gpu, or cpu: do not sample GPUs")
      ->check(CLI::IsMember({"gpu", "cpu"}))
      ->transform([](const std::string& text) { return text == "cuda" ? std::string("gpu") : text; });
  const auto complete = [&] {
    if (!options.list && options.curve.empty() && (options.sampler.folder.empty() || options.sampler.tree <= 0)) {
      throw CLI::RequiredError("--folder and --tree, or --list, or --curve");
    }
    options.sampler.gpu = options.device == "gpu";
  };
  return rv::workers::run_program(app, argc, argv, complete, [&] {
    if (!options.curve.empty()) return rv::workers::draw(options.curve);
    return options.list ? rv::workers::list() : rv::workers::sample(options);
  });
}
