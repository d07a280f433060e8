#include "workers/ranks/rank_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/documents/json_or_discard.h"
#include "shared/system/pipe_ends.h"
#include "shared/system/start_child.h"
#include "workers/devices/build_features.h"
#include "workers/devices/command_line.h"
#include "workers/ranks/token.h"

namespace rv::workers {
namespace {

std::optional<std::string> environment(const char* name) {
  const auto* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string find_token(const RankOptions& options, const Ranks& ranks) {
  if (!options.token_file.empty()) return token_from_file(options.token_file);
  if (const auto token = environment("RV_RENDEZVOUS_TOKEN"); token && !token->empty()) {
    if (token->size() < 16) throw std::invalid_argument("RV_RENDEZVOUS_TOKEN must have at least 16 characters");
    return *token;
  }
  if (ranks.one_process) return random_token();
  throw std::invalid_argument(
      "ranks of several processes need a secret token to meet: export RV_RENDEZVOUS_TOKEN=$(od -An -N16 -tx1 "
      "/dev/urandom | tr -d ' ') before the launcher, or give all of them --token-file FILE (mode 600)");
}

/// `reason` and `detail` are those of Gpus.
struct GpuCount {
  int count = 0;
  std::string reason, detail;
};

/// Counts this process's GPUs in a child process, because CUDA must not be initialised in a process that forks later.
GpuCount count_gpus() {
  auto pipe = os::make_pipe();
  if (!pipe) throw std::runtime_error(fmt::format("cannot make a pipe: {}", strerror(errno)));
  os::ChildOrder order;
  order.work = [&pipe] {
    const auto gpus = visible_gpus();
    const auto text = json_dump(Json{{"count", gpus.devices.size()}, {"reason", gpus.reason}, {"detail", gpus.detail}});
    const auto written = write(pipe->writes.number(), text.data(), text.size());
    return written == static_cast<ssize_t>(text.size()) ? 0 : 1;
  };
  const auto child = os::start_child(order);
  if (child < 0) throw std::runtime_error(fmt::format("cannot fork: {}", strerror(errno)));
  pipe->writes.close();
  std::string text;
  const bool late = !os::read_to_end(pipe->reads.number(), text, Clock::now() + std::chrono::seconds(60));
  pipe->reads.close();
  if (late) kill(child, SIGKILL);
  os::wait_for(child);
  const auto json = parse_json_or_discard<Json>(text);
  if (!json.is_object()) {
    return {0, "cuda_error",
            late ? "the CUDA driver does not answer within 60 s" : "the CUDA driver ended the process that queried it"};
  }
  return {integer_or(json, "count", 0), json.value("reason", ""), json.value("detail", "")};
}

Measurement no_gpu(const GpuCount& gpus) {
  Measurement m;
  m.suite = "device";
  m.name = "gpu";
  m.device.model = "none";
  const bool skip = gpus.reason == "no_gpu" || gpus.reason == "no_cuda_build" || gpus.reason == "no_nccl_build";
  m.verdict = skip ? Verdict::skip : Verdict::error;
  m.reason = gpus.reason;
  m.params["detail"] = gpus.detail;
  return m;
}

}  // namespace

void describe(CLI::App& app, RankOptions& options) {
  describe_device(app, options.device);
  app.add_option("--local-ranks", options.local_ranks,
                 "ranks that this process starts (default: one per GPU; 1 under a launcher)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--ranks", options.hosts, "HOST:SLOTS,…: run the same command on each of these hosts")->delimiter(',');
  app.add_option("--host", options.host, "which host of --ranks this is, if its name does not show it");
  app.add_option("--port", options.port, "where rank 0's process listens")->check(CLI::Range(1, 65535));
  app.add_option("--token-file", options.token_file,
                 "the ranks' secret, in a file of mode 600 (or RV_RENDEZVOUS_TOKEN)");
  app.add_option("--deadline", options.deadline, "maximum duration of a step or a wait, in seconds")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  app.add_option("--silence", options.silence, "seconds without a heartbeat after which a rank counts as lost")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "shorter and smaller measurements");
  describe(app, static_cast<ReportOptions&>(options));
  app.add_option("--inject", options.inject)->group("");  // for tests: see fault.h
}

Json to_json(const RankOptions& options) {
  Json json = {{"device", options.device}, {"quick", options.quick}, {"deadline_seconds", options.deadline}};
  if (options.local_ranks) json["local_ranks"] = *options.local_ranks;
  if (!options.hosts.empty()) json["ranks"] = options.hosts;
  return json;
}

Launch make_launch(const RankOptions& options, const std::function<int()>& gpus) {
  RankSources sources;
  sources.local_ranks = options.local_ranks;
  sources.hosts = options.hosts;
  if (!options.host.empty()) sources.here = options.host;
  sources.own_names = own_names();
  sources.port = options.port;
  sources.full_name = own_full_name;
  sources.gpus = gpus;
  sources.environment = environment;
  Launch launch;
  launch.ranks = find_ranks(sources);
  launch.token = find_token(options, launch.ranks);
  launch.step = environment("RV_RENDEZVOUS_STEP").value_or("");
  const auto milliseconds = [](double seconds) { return std::chrono::milliseconds(static_cast<long>(seconds * 1000)); };
  launch.deadlines.join = launch.deadlines.step = milliseconds(options.deadline);
  launch.deadlines.silence = milliseconds(std::min(options.silence, options.deadline));
  launch.allow_skip = options.allow_skip;
  if (!options.inject.empty()) launch.fault = fault_from(options.inject);
  return launch;
}

int run_worker(const char* name, const RankOptions& options, const std::function<void(Peer& peer, bool on_gpu)>& work) {
  GpuCount gpus;
  if (options.device != "cpu") {
    gpus = count_gpus();
    if (gpus.reason.empty() && !built_with_nccl()) {
      gpus.reason = "no_nccl_build";
      gpus.detail = fmt::format("this {} was built without NCCL; rebuild it on a machine with nccl.h", name);
    }
  }
  const bool on_gpu = options.device != "cpu" && gpus.reason.empty();
  Launch launch;
  try {
    launch = make_launch(options, [&gpus] { return gpus.count; });
    launch.program = name;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 2;
  }
  const ReportFile file(launch.ranks.coordinates ? options.report_dir : std::filesystem::path(), name);
  auto report = file.report(options.json);

  const bool speaks = launch.ranks.coordinates;
  const bool on_cpu = options.device == "cpu" || (options.device == "auto" && no_gpu(gpus).verdict == Verdict::skip);
  if (options.device != "cpu" && !on_gpu) {
    if (speaks) report.add(no_gpu(gpus));
    if (!on_cpu)
      return speaks ? exit_code(report.finish(), options.allow_skip)
                    : exit_code(no_gpu(gpus).verdict, options.allow_skip);
  }
  if (!on_gpu && !built_with_gloo()) {
    Measurement m;
    m.suite = "ranks";
    m.name = "gloo";
    m.verdict = Verdict::skip;
    m.reason = "no_gloo_build";
    m.params["detail"] = fmt::format("this {} was built without gloo; rebuild it on a machine with libgloo-dev", name);
    if (speaks) report.add(m);
    return speaks ? exit_code(report.finish(), options.allow_skip) : exit_code(m.verdict, options.allow_skip);
  }
  const int code = run_ranks(launch, report, [&](Peer& peer) { work(peer, on_gpu); });
  return code_if_written(report, name, code);
}

}  // namespace rv::workers
