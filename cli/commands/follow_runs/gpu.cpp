// rv gpu: how busy a run's GPUs are.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/process.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/option_values.h"
#include "cli/options/run_word.h"
#include "cli/options/value_option.h"
#include "cli/views/gpu_readings.h"
#include "monitor/diagnosis/gpu_idleness.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/watch_runs.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"
#include "templates/renderer.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

struct GpuOptions {
  RunWord run;
  std::chrono::seconds every{2};
  bool once = false;
};

/// One step of the job on all of its nodes.
GpuReadings read_gpus(const monitor::KnownRun& run, const monitor::RunView& view) {
  auto argv = monitor::step_of(run.folder, view);
  const std::string nodes = std::to_string(std::max<std::size_t>(1, slurm::expand_hostlist(view.nodes).size()));
  argv.insert(argv.end(), {"--nodes=" + nodes, "--ntasks=" + nodes, "--ntasks-per-node=1", "bash", "-s"});
  const auto result = os::run({.argv = argv,
                               .input = templates::render("gpu_readings.bash", {}),
                               .deadline = 60s,
                               .environment = slurm::submit_environment(),
                               .folder = ""});
  auto readings = parse_gpu_readings(result.out);
  if (readings.gpus.empty() && readings.troubles.empty()) {
    throw Error(fmt::format("Slurm runs nothing on the nodes of run {}: {}", run.record.id,
                            result.timed_out ? "no answer in a minute" : result.err),
                "rv ps says whether it still runs", ExitCode::slurm);
  }
  return readings;
}

/// How long the run has been idle, where the site has a policy about that. What was seen is kept in the run's folder.
std::optional<monitor::Idleness> idle_time(const GpuReadings& readings, const monitor::KnownRun& run,
                                           const monitor::RunView& view, const Invocation& invocation) {
  const auto& policy = invocation.settings.idle_policy;
  if (!policy) return std::nullopt;
  const std::string file = run.folder.file("gpu_looks.jsonl");
  auto looks = monitor::parse_looks(os::read_file(file).value_or(""));
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto look = gpu_look(readings, now);
  if (monitor::worth_keeping(look, looks, *policy)) {
    std::ofstream(file, std::ios::app) << monitor::look_line(look);  // a full disk takes the memory, not the figures
  }
  looks.push_back(look);
  return monitor::idleness(std::move(looks), *policy, view.started);
}

void show_once(const GpuReadings& readings, const monitor::KnownRun& run, const monitor::RunView& view,
               const Invocation& invocation) {
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
  if (readings.gpus.empty()) {
    throw Error(fmt::format("no figures of run {}'s GPUs: {}", run.record.id, fmt::join(readings.troubles, "; ")),
                "they come from nvidia-smi; rv ssh opens a shell there for other tools");
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

int watch(const monitor::KnownRun& run, std::chrono::seconds every, const Invocation& invocation) {
  os::catch_interrupts();
  do {
    const auto seen = monitor::see_runs({run});
    if (monitor::is_final(seen.views.front().state)) {
      fmt::print("run {} is over: {}\n", run.record.id, to_string(seen.views.front().state));
      return 0;
    }
    const auto readings = read_gpus(run, seen.views.front());
    fmt::print("\x1b[H\x1b[J{} ({}), every {} s, Ctrl-C ends this\n\n", run.record.id, run.record.name, every.count());
    show_once(readings, run, seen.views.front(), invocation);
    std::fflush(stdout);
  } while (!interrupted_within(every));
  return 0;
}

void add(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<GpuOptions>();
  options->run = add_run_word(command, "ID, name, or unique beginning of an ID (the newest run)");
  command.add_flag("--once", options->once, "print once; so it does where stdout is no terminal");
  add_value(command, "--every", options->every, duration_value, "time between two looks on a terminal (2s)")
      ->type_name("TIME");
  command.footer("Examples:\n  rv gpu\n  rv gpu train --every 10s\n  rv gpu k3f9x2 --json");
  command.callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      const auto run = named_or_latest(runs, *options->run);
      if (invocation.terminal.out && !options->once && !invocation.json) return watch(run, options->every, invocation);
      const auto seen = monitor::see_runs({run});
      show_once(read_gpus(run, seen.views.front()), run, seen.views.front(), invocation);
      return 0;
    };
  });
}

}  // namespace

const Command gpu_command{
    .name = "gpu",
    .summary = "How busy a run's GPUs are: load, memory, power, temperature",
    .group = groups::follow_runs,
    .add = add,
};

}  // namespace rv::cli
