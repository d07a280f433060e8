#include "cli/launch/launch_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/current_folder.h"
#include "base/os/interrupt.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/json/values_json.h"
#include "cli/launch/after_option.h"
#include "cli/launch/confirm_project.h"
#include "cli/launch/container.h"
#include "cli/launch/fit_launcher.h"
#include "cli/launch/launch_words.h"
#include "cli/launch/nothing_fits.h"
#include "cli/launch/prepare_on_node.h"
#include "cli/launch/preview.h"
#include "cli/launch/project_environment.h"
#include "cli/options/array_option.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
#include "cli/options/option_values.h"
#include "cli/options/passed_option.h"
#include "cli/options/sbatch_options.h"
#include "cli/options/value_option.h"
#include "cli/project/script_notes.h"
#include "cli/restart/preflight_option.h"
#include "cli/settings/worker_places.h"
#include "cli/setup/variable_option.h"
#include "cli/views/plan_view.h"
#include "cli/views/run_table.h"
#include "slurm/release_faults.h"

namespace rv::cli {

namespace {

/// A run on CPUs: --gpu 0, with defaults of its own, and -c.
void add_cpu_runs(CLI::App& command, RequestOptions& request) {
  request.cpu_runs = true;
  option_of(command, "--gpu").description("number of GPUs; 0: CPUs only (default: 1)");
  option_of(command, "--cpus").description("CPU cores per node (default: the GPUs' share of the node; with -g 0: 1)");
  option_of(command, "--mem")
      .description("memory per node, for example 64G; 0: all of it (default: the GPUs' share; with -g 0: Slurm's)");
  add_sbatch_options(command, request);
}

}  // namespace

std::shared_ptr<LaunchOptions> add_script_options(CLI::App& command) {
  auto options = std::make_shared<LaunchOptions>();
  options->request = add_request_options(command);
  add_cpu_runs(command, *options->request);
  add_option(command, "-o,--output", options->job.outputs,
             "files or folders to copy into the run's folder when the command ends; rv pull fetches them")
      .type_name("PATH")
      .delimiter(',');
  add_value(command, "--procs-per-node", options->job.processes_per_node, count_from(1, 10'000),
            "processes of the command on every node (default: 1)")
      .type_name("N");
  add_option(command, "--notify", options->notify,
             "events for the targets of rv notify: started, segment, stalled, ended; or none")
      .type_name("WHEN");
  add_project_options(command, options->project);
  add_option(command, "--interpreter", options->interpreter,
             "start the command with this program and options (default: by the script's extension)")
      .type_name("CMD");
  add_flag(command, "--requeue", options->job.requeue, "let Slurm start the command again after a node failure");
  add_retry_options(command, options->retries);
  add_stall_options(command, options->stall);
  add_preflight_options(command, options->preflight);
  add_value(
      command, "--after", options->job.after,
      [](const std::string&, const std::string& text) { return parse_after(text); },
      "start after this run has succeeded (RUN or RUN:ok), or has ended in any way (RUN:any)")
      .type_name("RUN");
  add_variable_option(command, options->job.variables);
  add_passed_options(command, options->job.sbatch, options->request->exclusive);
  options->request->checkpoint = add_checkpoint_options(command);
  return options;
}

std::shared_ptr<LaunchOptions> add_launch_options(CLI::App& command) {
  auto options = add_script_options(command);
  add_flag(command, "--dry-run,-n", options->dry_run, "show the ranked strategies; submit nothing");
  add_flag(command, "--no-sync", options->no_sync,
           "from a laptop: don't push the project's files; run in the cluster's home folder");
  add_probe_option(command, *options->request);
  return options;
}

void add_snapshot_option(CLI::App& command, LaunchOptions& options) {
  add_flag(command, "--snapshot", options.snapshot,
           "run in a copy of the project's files, which later edits don't change");
}

SnapshotForRun snapshot_for(const LaunchOptions& options, const Invocation& invocation) {
  return {options.snapshot && !options.dry_run, invocation.settings.home};
}

void add_mapping_option(CLI::App& command, LaunchOptions& options) {
  add_flag(command, "--show-mapping", options.show_mapping,
           "print how rv uses the #SBATCH lines of a script (default: once for each script)");
}

void add_array_option(CLI::App& command, LaunchOptions& options) {
  add_value(
      command, "--array", options.job.array,
      [](const std::string&, const std::string& text) { return parse_array(text); },
      "run the command once for each $RV_ARRAY_INDEX: 0-99, or 0-99%8 for 8 at once")
      .type_name("INDICES");
}

std::shared_ptr<LaunchOptions> add_options_of_run(CLI::App& command) {
  auto options = add_script_options(command);
  add_container_options(command, options->container);
  add_stderr_option(command, *options);
  add_array_option(command, *options);
  add_mapping_option(command, *options);
  return options;
}

std::shared_ptr<LaunchOptions> with_batch(const std::shared_ptr<LaunchOptions>& options, const AddLaunch& add,
                                          const std::vector<std::string>& given, const BatchUse& use,
                                          const Invocation& invocation) {
  if (invocation.as_typed) return options;
  auto call = batch_call(
      invocation.user_command, given,
      {.name = use.command, .options = [&](CLI::App& app) { add(app); }, .follows = use.follows, .arrays = use.arrays});
  if (!call) return options;
  auto all = options;
  parse_options(call->arguments, [&](CLI::App& app) { all = add(app); });
  all->batch = std::move(call);
  return all;
}

void add_stderr_option(CLI::App& command, LaunchOptions& options) {
  add_flag(command, "--separate-stderr", options.separate_stderr,
           "write stderr to a separate file (default: one file, in the order of writing)");
}

void add_output_options(CLI::App& command, LaunchOptions& options) {
  add_stderr_option(command, options);
  add_flag_callback(
      command, "--raw", [&options] { options.bars = monitor::Bars::as_drawn; },
      "pass the output byte for byte (default: filter control characters for a terminal, keep only the last state of "
      "progress bars for a file or pipe)");
}

monitor::Bars bars_of(const CLI::App& called) {
  return given(called, "--raw") ? monitor::Bars::as_drawn : monitor::Bars::live;
}

bool joins_output(const LaunchOptions& options, bool streamed, const os::Terminal& here) {
  if (options.batch) return options.batch->found.batch.error.empty() && !options.separate_stderr;
  return !options.separate_stderr && (!streamed || here.one_output);
}

namespace {

void tell_refusals(const planner::Plan& plan) {
  for (const auto& strategy : plan.strategies) {
    if (!refused_by_controller(strategy)) continue;
    fmt::print(stderr, "rv: not submitted, the controller refuses it: {}: {}\n", summary(strategy),
               one_line(strategy.controller->message));
  }
}

StartChoice start_choice(const LaunchOptions& options, bool as_typed) {
  StartChoice choice{.interpreter = {},
                     .as_typed = as_typed && options.interpreter.empty(),
                     .in_container = !options.container.image.empty()};
  if (options.interpreter.empty()) return choice;
  bool whole = true;
  choice.interpreter = project::plain_words(options.interpreter, &whole);
  if (!whole || choice.interpreter.empty()) {
    throw wrong_value("--interpreter", options.interpreter, "a program and its options, without shell syntax",
                      "write it like --interpreter 'python3.11 -X dev'");
  }
  return choice;
}

/// Notes for the script's author, before the run waits for GPUs.
void say_script_notes(const WorkOrder& order, const std::vector<planner::Strategy>& racing,
                      const Invocation& invocation) {
  const auto script = script_of(order.job.typed);
  if (invocation.json || racing.empty() || !script || !script->ends_with(".py")) return;
  constexpr std::uintmax_t longest = 1 << 20;
  std::error_code unknown;
  if (std::filesystem::file_size(*script, unknown) > longest || unknown) return;
  project::ScriptPlace place{.script = *script, .words = project::words_of_command(order.job.typed, properties_of)};
  place.processes_per_node = order.job.processes_per_node;
  for (const auto& strategy : racing) {
    const int cpus = strategy.cpus_per_node / order.job.processes_per_node;
    place.nodes = std::max(place.nodes, strategy.nodes);
    place.cpus = place.cpus == 0 ? cpus : std::min(place.cpus, cpus);
  }
  for (const auto& note : project::script_notes(os::read_file(*script).value_or(""), place)) {
    fmt::print(stderr, "rv: note: {}\n", note);
  }
}

/// The script as sbatch would run it, from a copy: the file may be changed while the job waits.
void put_batch(WorkOrder& order, const BatchCall& call, const std::vector<std::string>& words) {
  auto& job = order.job;
  job.batch = batch_of(call, job.array.has_value());
  job.argv = batch_argv(words);
  job.sbatch.insert(job.sbatch.end(), call.found.sbatch.begin(), call.found.sbatch.end());
  order.why.clear();
  order.notes.clear();
  order.prepare = [call, batch = *job.batch](const monitor::RunFolder& folder) {
    write_batch(folder.path(), call, batch);
  };
}

void say_mapping(const LaunchOptions& options, const Invocation& invocation) {
  if (!options.batch || invocation.json) return;
  if (!shown_before(*options.batch, invocation.settings.home) || options.show_mapping) {
    fmt::print(stderr, "{}", mapping_text(*options.batch));
  }
}

void show(Preview& preview) {
  add_what_ifs(preview);
  if (preview.invocation.json) {
    auto document = preview_json(preview);
    document["runs"] = preview.order.job.argv;
    document["environment"] = preview.needs ? needs_json(*preview.needs) : nlohmann::ordered_json();
    for (auto& strategy : document["strategies"]) strategy["races"] = false;
    for (const std::size_t place : preview.races(preview.planned.plan)) document["strategies"][place]["races"] = true;
    if (const auto balance = balance_after(preview)) add_balance(document, *balance);
    fmt::print("{}", json_text(document));
  } else {
    print_preview(preview);
  }
}

/// Makes the project's environment where there is none yet, and plans again then: much may have changed on the cluster
/// meanwhile.
void prepare(Preview& preview) {
  const auto& needs = preview.needs;
  const auto& invocation = preview.invocation;
  const bool makes = needs && !needs->environment;
  const bool makes_here = makes && !built_on_node(*needs, invocation.settings);
  if (!makes_here && !invocation.json) say_full_quotas(invocation);
  if (!makes) return;
  const auto made =
      makes_here ? prepare_for_run(*needs, invocation) : prepare_on_node(*needs, *preview.options.request, invocation);
  add_project(preview.order.job, preview.inputs, made);
  preview.planned = plan_for(*preview.options.request, invocation);
  fit_launcher(preview.planned.plan, preview.order.job);
}

/// Only a table would look like success. A dry run prints the table, and the JSON document lists the rejections.
Launched nothing_to_race(const Preview& preview, bool dry_run) {
  const auto& planned = preview.planned;
  if (!dry_run && !preview.invocation.json) {
    std::fflush(stdout);
    throw nothing_fits(planned.plan, planned.cluster, planned.request);
  }
  return {std::nullopt, static_cast<int>(ExitCode::no_strategy)};
}

}  // namespace

void say_what_runs(const WorkOrder& order, const Invocation& invocation) {
  if (invocation.json) return;
  if (!order.why.empty()) {
    fmt::print(stderr, "rv: runs {} ({})\n", one_line(shown_command(order.job.argv)), one_line(order.why));
  }
  for (const auto& note : order.notes) fmt::print(stderr, "rv: note: {}\n", one_line(note));
}

WorkOrder order_for(const LaunchOptions& options, const std::vector<std::string>& words, const Invocation& invocation) {
  say_mapping(options, invocation);
  if (options.request->checkpoint->wanted && words.empty()) {
    throw Error("--checkpoint needs a command", "write one (rv run CMD, rv up --run 'CMD'), or remove --checkpoint",
                ExitCode::usage);
  }
  if (!options.interpreter.empty() && words.empty()) {
    throw Error("--interpreter needs a command", "write one (rv run CMD, rv up --run 'CMD'), or remove --interpreter",
                ExitCode::usage);
  }
  if (!invocation.as_typed) require_script(words);
  if (options.request->cores_per_task && options.job.processes_per_node > 1) {
    throw Error("-c counts cores per task and can't be combined with --procs-per-node",
                fmt::format("write --cpus {}, the cores of all processes on a node",
                            static_cast<long long>(*options.request->cores_per_task) * options.job.processes_per_node),
                ExitCode::usage);
  }
  if (options.job.array && options.request->checkpoint->wanted) {
    throw Error("--array and --checkpoint can't be combined",
                "run the elements with a shorter --time, or start one checkpointed run for each", ExitCode::usage);
  }
  auto order =
      plain_order(words, invocation.settings, options.notify, start_choice(options, invocation.as_typed), options.job);
  if (options.request->checkpoint->wanted) order.job.chain = options.request->checkpoint->chain;
  order.job.retries = retries_of(options.retries, order.job);
  put_stall(order.job, options.stall, invocation.settings.stall);
  put_preflight(order.job, options.preflight, *options.request, invocation.settings.preflight);
  put_into_container(order, container_for(options.container, invocation.settings));
  if (options.batch) put_batch(order, *options.batch, words);
  return order;
}

namespace {

/// The run starts without a preflight where the workers are missing.
void say_missing_workers(const templates::JobSpec& job, const Invocation& invocation) {
  if (!job.preflight || !worker_program(invocation.settings, "rv-health").empty()) return;
  fmt::print(stderr,
             "rv: warning: --preflight needs rv's workers, which are not installed beside rv; the command will "
             "start without a preflight\n");
}

}  // namespace

Launched launch(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                std::optional<KnownCluster> known) {
  say_what_runs(order, invocation);
  say_missing_workers(order.job, invocation);
  auto needs = needs_of(options, order, invocation);
  if (needs) say_needs(*needs, invocation);
  auto preview = preview_of(options, order, invocation, std::move(needs), std::move(known));
  say_launcher_note(preview);
  if (options.request->probe) probe(preview);
  const auto racing = preview.racing();
  // What the run would be refused for, the preview of it is.
  if (order.job.chain) {
    for (const auto& strategy : racing) check_segments(*order.job.chain, strategy);
  }
  say_script_notes(order, racing, invocation);
  if (options.dry_run || racing.empty()) {
    show(preview);
    if (!racing.empty()) return {std::nullopt, 0};
    return nothing_to_race(preview, options.dry_run);
  }
  if (preview.needs) confirm_project(*preview.needs, invocation, options.project.trust_project);
  if (!options.request->cluster_file.empty()) {
    throw Error("--cluster plans on a saved cluster, so nothing can be submitted",
                "add --dry-run to see the plan, or remove --cluster", ExitCode::usage);
  }
  auto& planned = preview.planned;
  if (const auto avoided = in_words(planned.avoided); !avoided.empty() && !invocation.json) {
    fmt::print(stderr, "rv: note: {}\n", avoided);
  }
  if (order.job.chain && order.job.chain->shortest > std::chrono::seconds(0)) {
    const std::string fault = slurm::fault_of_time_min(planned.cluster.controller.version);
    if (!fault.empty()) fmt::print(stderr, "rv: warning: {}\n", fault);
  }
  tell_refusals(planned.plan);
  prepare(preview);
  if (preview.racing().empty()) {
    fmt::print("{}", plan_table(planned.plan, planned.request, invocation.terminal));
    return nothing_to_race(preview, /*dry_run=*/false);
  }
  return {start_run(planned.cluster, planned.request, planned.plan, invocation.settings, preview.order, preview.inputs,
                    preview.width),
          0};
}

}  // namespace rv::cli
