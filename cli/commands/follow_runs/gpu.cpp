// rv gpu: how busy a run's GPUs are.

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/terminal.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/read_gpus.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/run_argument.h"
#include "cli/options/value_option.h"
#include "cli/views/gpu_readings.h"
#include "monitor/diagnosis/gpu_idleness.h"
#include "monitor/race/watch_runs.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

struct GpuOptions {
  RunArgument run;
  std::chrono::seconds every{2};
  bool once = false;
  std::optional<int> element;
};

/// How long the run has been idle, where the site has a policy about that. What was seen is kept in the run's folder.
std::optional<monitor::Idleness> idle_time(const GpuReadings& readings, const monitor::KnownRun& run,
                                           const monitor::RunView& view, const Invocation& invocation) {
  const auto& policy = invocation.settings.idle_policy;
  if (!policy) return std::nullopt;
  const std::string file = run.folder.file("gpu_looks.jsonl");
  auto looks = monitor::parse_samples(os::read_file(file).value_or(""));
  const auto now = current_time();
  const auto look = gpu_look(readings, now);
  if (monitor::worth_keeping(look, looks, *policy)) {
    std::ofstream(file, std::ios::app) << monitor::sample_line(look);  // a full disk takes the memory, not the figures
  }
  looks.push_back(look);
  return monitor::idleness(std::move(looks), *policy, view.started);
}

void show_once(const GpuReadings& readings, const monitor::KnownRun& run, const monitor::RunView& view,
               const Invocation& invocation) {
  if (readings.gpus.empty()) {
    throw Error(fmt::format("can't read the GPUs of run {}: {}", run.record.id, fmt::join(readings.troubles, "; ")),
                "rv uses nvidia-smi; for other tools, open a shell there with rv ssh");
  }
  const auto idle = idle_time(readings, run, view, invocation);
  if (invocation.json) {
    auto json = gpu_readings_json(readings);
    json["run"] = run.record.id;
    json["idle"] = nullptr;
    if (idle) {
      json["idle"] = {{"certain_s", idle->certain.count()},
                      {"possible_s", idle->possible.count()},
                      {"ends_after_s", invocation.settings.idle_policy->after.count()}};
    }
    fmt::print("{}", json_text(json));
    return;
  }
  fmt::print("{}", gpu_table(readings, invocation.terminal));
  for (const auto& trouble : readings.troubles) fmt::print(stderr, "rv: {}\n", trouble);
  const auto warning = idle ? monitor::idle_warning(*idle, *invocation.settings.idle_policy) : std::nullopt;
  if (warning) fmt::print(stderr, "rv: {}\n", *warning);
}

/// True when Ctrl-C came before the time was over.
bool interrupted_within(std::chrono::seconds span) {
  const auto until = std::chrono::steady_clock::now() + span;
  while (std::chrono::steady_clock::now() < until) {
    if (os::take_interrupt()) return true;
    std::this_thread::sleep_for(50ms);
  }
  return os::take_interrupt();
}

int watch(const monitor::KnownRun& run, const GpuOptions& options, const Invocation& invocation) {
  const auto every = options.every;
  os::catch_interrupts();
  do {
    const auto seen = monitor::poll_runs({run});
    if (monitor::is_final(seen.views.front().state)) {
      fmt::print("run {} is over: {}\n", run.record.id, to_string(seen.views.front().state));
      return 0;
    }
    const auto readings = read_gpus(run, seen.views.front(), options.element);
    os::move_cursor(stdout, "\x1b[H\x1b[J");
    fmt::print("{} ({}), every {} s, Ctrl-C ends this\n\n", run.record.id, run.record.name, every.count());
    show_once(readings, run, seen.views.front(), invocation);
    std::fflush(stdout);
  } while (!interrupted_within(every));
  return 0;
}

void add_gpu(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<GpuOptions>();
  options->run =
      add_run_argument(command, "ID, name, or unique beginning of an ID (default: the newest run that holds GPUs)");
  add_flag(command, "--once", options->once, "print once (default if stdout is not a terminal)");
  add_value(command, "--every", options->every, duration_value, "time between two samples on a terminal (default: 2s)")
      .type_name("TIME");
  add_value(command, "--element", options->element, count_from(0, 4'000'000),
            "element of an array (default: the first that runs)")
      .type_name("INDEX");
  set_footer(command, "Examples:\n  rv gpu\n  rv gpu train --every 10s\n  rv gpu k3f9x2 --json");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::runs_in(invocation.settings.runs_folder());
      const auto [run, view] = monitor::poll_named_or_holding(runs, *options->run);
      if (invocation.terminal.out && !options->once && !invocation.json) return watch(run, *options, invocation);
      show_once(read_gpus(run, view, options->element), run, view, invocation);
      return 0;
    };
  });
}

}  // namespace

extern const Command gpu_command{
    .name = "gpu",
    .summary = "Show load, memory, power and temperature of a run's GPUs",
    .group = groups::follow_runs,
    .add = add_gpu,
};

}  // namespace rv::cli
