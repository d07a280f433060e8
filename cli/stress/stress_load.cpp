#include "cli/stress/stress_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/current_folder.h"
#include "base/os/local_command.h"
#include "base/quote.h"
#include "base/walltime.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/json/values_json.h"
#include "cli/load/load_container.h"
#include "cli/options/hosts_options.h"
#include "cli/stress/write_stress_verdict.h"
#include "monitor/run/resolve_run.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// GPUs tell by themselves whose they are (reports/stress/judgement.cpp), and two hosts may share a machine's; its
/// processor has no name.
void refuse_one_host_twice(remote::HostGroup& group, const StressOptions& options) {
  if (options.device != "cpu") return;
  std::map<std::string, std::string> names;
  for (const auto& session : group.sessions()) {
    const auto& machine = session->facts().machine;
    if (machine.empty()) continue;
    const auto [first, fresh] = names.emplace(machine, session->host().name.text());
    if (fresh) continue;
    throw Error(fmt::format("{} and {} are one host under two names", first->second, session->host().name.text()),
                "name it once: its workers would be counted twice", ExitCode::usage);
  }
}

/// What getting ready and clearing up take at most, beside what was asked for.
constexpr double beside_s = 600;
/// How long the workers of one GPU work alone before, where nothing else was said; of a duration a quarter at most.
constexpr double most_reference_s = 10;

std::shared_ptr<RequestOptions> request_of(const StressOptions& options) {
  auto request = std::make_shared<RequestOptions>(*options.request);
  if (request->name.empty()) request->name = "stress";
  if (!request->time) {
    const auto configurations = options.launch.empty() ? 0.0 : 4.0 + static_cast<double>(options.subsets.size());
    const auto seconds =
        (options.skip_stress ? 0 : options.duration_s + options.reference_s.value_or(most_reference_s)) +
        configurations * options.launch_timeout_s + beside_s;
    request->time = std::chrono::minutes(static_cast<long long>(std::ceil(seconds / 60)));
  }
  return request;
}

/// Without the launcher's runs, whose duration is unknown.
double load_seconds(const StressOptions& options) {
  if (options.skip_stress) return 0;
  return options.duration_s + options.reference_s.value_or(std::min(most_reference_s, options.duration_s / 4));
}

/// "working, 12s of about 1m 15s  (Ctrl-C leaves it running)"; empty: it has not begun.
std::string progress_text(const StressOptions& options, const monitor::RunView& view) {
  if (!view.started) return "";
  const auto now = current_time();
  const auto spent = std::max(now - *view.started, std::chrono::seconds(0));
  const std::chrono::seconds whole(std::llround(load_seconds(options)));
  return fmt::format("working, {}{}  (Ctrl-C leaves it running)", format_duration(spent),
                     spent < whole ? " of about " + format_duration(whole) : "");
}

/// The launcher's runs are not in it, nor what getting ready takes.
void check_time(const StressOptions& options) {
  const auto& time = options.request->time;
  if (!time || options.skip_stress || std::chrono::duration<double>(*time).count() > options.duration_s) return;
  const std::chrono::seconds duration(std::llround(std::ceil(options.duration_s)));
  throw Error(
      fmt::format("--time {} must be longer than --duration {}", format_duration(*time), format_duration(duration)),
      "increase --time beyond --duration, or remove --time", ExitCode::usage);
}

}  // namespace

std::string rv_stress_folder(const StressOptions& options, const Settings& settings) {
  return workers_folder(options.worker_folder, settings, {"rv-stress"}, "--worker-folder");
}

StressLoad::StressLoad(const StressOptions& options, const Invocation& invocation)
    : Load({.request = *options.request,
            .container = options.container,
            .hosts = options.hosts,
            .local = options.local,
            .detach = options.detach,
            .dry_run = options.dry_run},
           invocation, "stress"),
      options_(options),
      arguments_(worker_words(options)) {}

LocalLaunch StressLoad::for_here() {
  check_beside_local(*options_.request, options_.detach);
  worker_ = rv_stress_folder(options_, invocation().settings) + "/rv-stress";
  container_ = container_for(options_.container, invocation().settings);
  container_.mounts.push_back(fs::path(worker_).parent_path());
  return {[this] { return run_here(); }, "rv-stress", "its output is above"};
}

int StressLoad::run_here() {
  // Progress belongs to stderr: stdout has the tables or the JSON document.
  std::vector<std::string> argv{"bash", "-c", "exec \"$@\" >&2", "rv-stress", worker_, "--report-dir", reports()};
  argv.insert(argv.end(), arguments_.begin(), arguments_.end());
  argv = command_here(folder(), container_, argv);
  const auto step = container_.step();
  argv.insert(argv.begin(), step.begin(), step.end());
  return os::run_local(argv, std::nullopt, std::chrono::seconds(20)).exit_code;
}

void StressLoad::show() const {
  auto argv = arguments_;
  argv.insert(argv.begin(), worker_);
  fmt::print("{}", invocation().json ? json_text({{"command", argv}}) : quote_all(argv) + "\n");
}

int StressLoad::judge(const std::vector<WorkTrouble>& troubles) {
  Trouble trouble;
  if (!troubles.empty()) {
    std::vector<std::string> parts;
    parts.reserve(troubles.size());
    for (const auto& one : troubles) parts.push_back(one.host.empty() ? one.what : one.host + ": " + one.what);
    const bool on_hosts = !troubles.front().host.empty();
    trouble = {fmt::format("{}{}", fmt::join(parts, "; "), on_hosts ? "; the work was ended on all hosts" : ""),
               troubles.front().advice, on_hosts};
  }
  const auto code = write_stress_verdict(folder(), where(), trouble, options_, invocation());
  if (!options_.cleanup) keep();
  return code;
}

HostsLaunch StressLoad::for_hosts(const std::vector<remote::Host>& hosts) {
  worker_ = "rv-stress";
  hosts_ = hosts.size();
  container_ = container_on_hosts(options_.container, invocation().settings);
  return {read_programs(rv_stress_folder(options_, invocation().settings), {worker_}), ReportKind::stress};
}

std::vector<int> StressLoad::slots_on(remote::HostGroup& group) {
  refuse_one_host_twice(group, options_);
  std::vector<int> slots;
  for (const auto& session : group.sessions()) {
    slots.push_back(slots_of(options_.slots, options_.device == "cpu" ? "cpu" : "auto", 1, *session));
  }
  return slots;
}

/// A launcher is searched in the folder in which it was called here, if the host has that folder.
HostScript StressLoad::script_on(const HostPlace& place) {
  std::vector<std::string> argv{place.workers + "/rv-stress", "--report-dir", place.reports(), "--nodes",
                                std::to_string(hosts_)};
  argv.insert(argv.end(), arguments_.begin(), arguments_.end());
  HostScript script;
  const auto lines = lines_on_host(place, container_, argv, script);
  script.add("node.sh", "600", fmt::format("cd {} 2>/dev/null\n{}", quote(os::current_folder()), lines));
  return script;
}

SlurmLaunch StressLoad::for_slurm() {
  check_time(options_);
  const auto worker = rv_stress_folder(options_, invocation().settings) + "/rv-stress";
  auto work =
      plain_order({"rv", "stress"}, invocation().settings, options_.notify, {.interpreter = {}, .as_typed = true});
  // Its progress belongs to stderr: stdout has the tables or the JSON document.
  work.job.set_command({"bash", "-c",
                        "exec \"$RV_RUN_DIR/stress/rv-stress\" --report-dir \"$RV_RUN_DIR/stress/reports\" "
                        "--nodes \"${SLURM_JOB_NUM_NODES:-1}\" \"$@\" >&2",
                        "rv-stress"});
  work.job.argv.insert(work.job.argv.end(), arguments_.begin(), arguments_.end());
  work.job.measures = true;
  // The program goes with the run: a node need not see where rv is installed here.
  work.prepare = [worker](const monitor::RunFolder& run) {
    os::make_folder(run.file("stress/reports"));
    fs::copy_file(worker, run.file("stress/rv-stress"));
  };
  put_into_container(work, container_for(options_.container, invocation().settings));
  LaunchOptions launching;
  launching.request = request_of(options_);
  launching.no_sync = options_.no_sync;
  // Only the launcher may need something of the project in this folder; an image has what it needs.
  launching.project = options_.project;
  if (options_.launch.empty() || options_.skip_launch || !options_.container.image.empty()) {
    launching.project.no_deps = true;
  }
  return {.launching = launching,
          .work = work,
          .progress = [this](const auto& view) { return progress_text(options_, view); },
          .next = [](const auto& run) { return fmt::format("rv stress --judge {} judges it when it is over", run); }};
}

int judge_stress_again(const StressOptions& options, const Invocation& invocation) {
  std::error_code fault;
  if (fs::is_directory(options.judge + "/reports", fault)) {
    const auto name = fs::path(options.judge).lexically_normal();
    const auto last = name.has_filename() ? name.filename() : name.parent_path().filename();
    return write_stress_verdict(options.judge, last, {}, options, invocation);
  }
  const auto run = monitor::resolve_run(monitor::runs_in(invocation.settings.runs_folder()), options.judge);
  const auto folder = run.folder.file("stress");
  if (!fs::is_directory(folder, fault)) {
    throw Error(fmt::format("{} was not started by rv stress", run.folder.id()), "rv ps shows the runs by name",
                ExitCode::no_such_run);
  }
  return write_stress_verdict(folder, run.folder.id(),
                              run.over ? Trouble{}
                                       : Trouble{.what = "the run is not over",
                                                 .advice = fmt::format("rv wait {} waits for its end", run.folder.id()),
                                                 .not_over = true},
                              options, invocation);
}

}  // namespace rv::cli
