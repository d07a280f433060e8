#include "cli/stress/stress_through_slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/walltime.h"
#include "cli/launch/container.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/launch/no_container.h"
#include "cli/stress/stress_load.h"
#include "cli/stress/write_stress_verdict.h"
#include "monitor/run/resolve_run.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// What getting ready and clearing up take at most, beside what was asked for.
constexpr double beside_s = 600;
/// The default time for which one GPU is measured first; at most a quarter of the duration.
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
  throw Error(fmt::format("--time {} is over before the workers are: --duration {}", format_duration(*time),
                          format_duration(duration)),
              "increase --time beyond --duration, or remove --time", ExitCode::usage);
}

WorkOrder work_order(const StressOptions& options, const Invocation& invocation) {
  const auto words = worker_words(options);
  const auto worker = rv_stress_folder(options, invocation.settings) + "/rv-stress";
  auto work = plain_order({"rv", "stress"}, invocation.settings, options.notify, {.interpreter = {}, .as_typed = true});
  // Its progress belongs to stderr: stdout has the tables or the JSON document.
  work.job.execute({"bash", "-c",
                    "exec \"$RV_RUN_DIR/stress/rv-stress\" --report-dir \"$RV_RUN_DIR/stress/reports\" "
                    "--nodes \"${SLURM_JOB_NUM_NODES:-1}\" \"$@\" >&2",
                    "rv-stress"});
  work.job.argv.insert(work.job.argv.end(), words.begin(), words.end());
  work.job.measures = true;
  // The program goes with the run: a node need not see where rv is installed here.
  work.prepare = [worker](const monitor::RunFolder& folder) {
    os::make_folder(folder.file("stress/reports"));
    fs::copy_file(worker, folder.file("stress/rv-stress"));
  };
  put_into_container(work, container_for(options.container, invocation.settings));
  return work;
}

}  // namespace

int stress_through_slurm(const StressOptions& options, const Invocation& invocation) {
  check_time(options);
  LaunchOptions launching;
  launching.request = request_of(options);
  launching.dry_run = options.dry_run;
  launching.no_sync = options.no_sync;
  // Only the launcher may need something of the project in this folder; an image has what it needs.
  launching.project = options.project;
  if (options.launch.empty() || options.skip_launch || !options.container.image.empty()) {
    launching.project.no_deps = true;
  }
  const auto launched = launch(launching, work_order(options, invocation), invocation);
  if (!launched.folder) return launched.exit_code;
  const auto& run = *launched.folder;
  slurm::Gateway gateway;
  const auto attended = attend(run, gateway, invocation,
                               {.detach = options.detach,
                                .stream = true,
                                .progress = [&options](const auto& view) { return progress_text(options, view); },
                                .next = fmt::format("rv stress --judge {} judges it when it is over", run.id())});
  if (attended.exit_code) return *attended.exit_code;
  if (const auto error = container_error(options.container, run, attended.view, gateway)) {
    if (invocation.json) throw Error(*error);
    explain_end(run, attended.view, invocation.terminal);  // its lines have come with the node's output
    return no_container;
  }
  const bool well = attended.view.state == monitor::RunState::done;
  const auto trouble = well ? Trouble{}
                            : Trouble{fmt::format("the run ended before its time: {}", attended.view.detail),
                                      fmt::format("rv why {} names the cause", run.id())};
  return write_stress_verdict(run.file("stress"), run.id(), trouble, options, invocation);
}

int judge_stress_again(const StressOptions& options, const Invocation& invocation) {
  std::error_code fault;
  if (fs::is_directory(options.judge + "/reports", fault)) {
    const auto name = fs::path(options.judge).lexically_normal();
    const auto last = name.has_filename() ? name.filename() : name.parent_path().filename();
    return write_stress_verdict(options.judge, last, {}, options, invocation);
  }
  const auto run = monitor::resolve_run(monitor::known_runs(invocation.settings.runs_folder()), options.judge);
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
