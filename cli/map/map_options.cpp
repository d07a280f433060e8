#include "cli/map/map_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/variable.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

constexpr int most_per_gpu = 1000;

Error refused(const std::string& message, std::string advice) {
  return {message, std::move(advice), ExitCode::usage};
}

void check_unsupported(const LaunchOptions& launch) {
  const auto& checkpoint = *launch.request->checkpoint;
  if (checkpoint.wanted || !checkpoint.companion.empty()) {
    throw refused(fmt::format("rv map does not support {}", checkpoint.wanted ? "--checkpoint" : checkpoint.companion),
                  "start without it; after the time limit rv map --resume RUN runs the tasks that are left");
  }
  if (!launch.retries.on.empty()) {
    throw refused("rv map does not support --retry-on", "remove it: --retries N starts each failed task again");
  }
  if (launch.job.processes_per_node > 1) {
    throw refused("rv map does not support --procs-per-node", "start several tasks at a time with --per-gpu");
  }
}

void check_gpus(const MapOptions& options, int gpus) {
  if (options.launch->request->cores_per_task) {
    throw refused("--cpus-per-task needs --gpu 0", "with GPUs, --per-gpu says how many tasks share a GPU");
  }
  const int each = options.gpus_per_task.value_or(1);
  const int nodes = options.launch->request->nodes.value_or(1);
  if (each * nodes > gpus) {
    throw refused(
        fmt::format("--gpus-per-task {}: a task runs on one node, and {} GPU{} {} requested on {}", each, gpus,
                    gpus == 1 ? "" : "s", gpus == 1 ? "is" : "are", nodes == 1 ? "it" : fmt::format("{} nodes", nodes)),
        fmt::format("request more, for example -g {}", each * nodes));
  }
}

void check_no_gpus(const MapOptions& options) {
  if (options.per_gpu || options.gpus_per_task) {
    throw refused(
        fmt::format("{} needs GPUs, and --gpu 0 requests none", options.per_gpu ? "--per-gpu" : "--gpus-per-task"),
        "remove one of them; --cpus-per-task divides the CPUs");
  }
}

/// The CPUs of a node, and of each task there.
void divide_cpus(RequestOptions& request, monitor::TaskList& list) {
  list.cpus_per_task = request.cores_per_task.value_or(1);
  request.cores_per_task.reset();
  const int cpus = request.cpus.value_or(list.cpus_per_task);
  if (list.cpus_per_task > cpus) {
    throw refused(fmt::format("--cpus-per-task {}: a node has {} CPU{} in this request", list.cpus_per_task, cpus,
                              cpus == 1 ? "" : "s"),
                  fmt::format("request more, for example --cpus {}", list.cpus_per_task));
  }
  request.cpus = cpus;
}

bool sets_threads(const LaunchOptions& launch) {
  const auto& own = launch.job.variables;
  return !variable("OMP_NUM_THREADS").empty() || std::any_of(own.begin(), own.end(), [](const std::string& one) {
    return one.starts_with("OMP_NUM_THREADS=");
  });
}

}  // namespace

std::shared_ptr<MapOptions> add_map_options(CLI::App& command) {
  auto options = std::make_shared<MapOptions>();
  // Before the options of sbatch, which leave out --gpus-per-task then.
  const auto per_gpu = add_value(command, "--per-gpu", options->per_gpu, count_from(1, most_per_gpu),
                                 "tasks at a time on each GPU (default: 1)")
                           .type_name("N");
  add_value(command, "--gpus-per-task", options->gpus_per_task, count_from(1, most_counted),
            "GPUs of each task, all on one node (default: 1)")
      .type_name("N")
      .excludes(per_gpu);
  options->launch = add_launch_options(command);
  add_snapshot_option(command, *options->launch);
  option_of(command, "--retries").description("start a failed task again, up to N times (default: 0)");
  add_flag(command, "-f,--follow", options->follow, "show the progress until the run is over, and its summary");
  option_of(command, "--cpus-per-task").description("with --gpu 0: CPUs of each task (default: 1)");
  option_of(command, "--on-stall")
      .description("what to do then: warn (default), stop, or restart the run (at most twice)");
  hide_options(command, {"--procs-per-node", "--retry-on", "--window", "--checkpoint", "--segment-time", "--time-min",
                         "--warn", "--signal", "--max-crashes", "--checkpoint-from"});
  return options;
}

void take_task_options(MapOptions& options, monitor::TaskList& list) {
  auto& launch = *options.launch;
  check_unsupported(launch);
  const int gpus = launch.request->mig ? 1 : launch.request->gpus.value_or(1);
  if (gpus > 0) {
    check_gpus(options, gpus);
  } else {
    check_no_gpus(options);
    divide_cpus(*launch.request, list);
  }
  list.per_gpu = options.per_gpu.value_or(1);
  list.gpus_per_task = gpus > 0 ? options.gpus_per_task.value_or(1) : 0;
  list.retries = launch.retries.most.value_or(0);
  list.keeps_threads = sets_threads(launch);
  launch.retries = {};
  // With fewer GPUs on each of several nodes, no task would fit.
  if (list.gpus_per_task > 1 && !launch.request->nodes) launch.request->single_node = true;
}

}  // namespace rv::cli
