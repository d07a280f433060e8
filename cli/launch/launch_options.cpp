#include "cli/launch/launch_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/launch/launch_words.h"
#include "cli/launch/order_script.h"
#include "cli/launch/probe.h"
#include "cli/options/value_option.h"
#include "cli/views/plan_view.h"
#include "cli/views/run_table.h"
#include "remote/hop/login_side.h"

namespace rv::cli {

std::shared_ptr<LaunchOptions> add_launch_options(CLI::App& command) {
  auto options = std::make_shared<LaunchOptions>();
  options->request = add_request_options(command);
  command.add_flag("--dry-run,-n", options->dry_run, "show the ranked ways to get the GPUs, submit nothing");
  command
      .add_option("-o,--output", options->outputs, "copy these files or folders to the run's output folder afterwards")
      ->type_name("PATH")
      ->delimiter(',');
  command.add_option("--procs-per-node", options->processes_per_node, "start the command so often on every node (1)")
      ->type_name("N");
  command
      .add_option("--notify", options->notify, "tell the targets of rv notify of these: started, segment, ended, none")
      ->type_name("WHEN");
  command.add_flag("--no-sync", options->no_sync,
                   "from a laptop: don't push this project's files first, run in the home folder there");
  command.add_flag("--requeue", options->requeue, "let Slurm start the command again after a node failure");
  add_value(
      command, "--after", options->after, [](const std::string&, const std::string& text) { return parse_after(text); },
      "start only after this run has ended: well (RUN or RUN:ok), or in any way (RUN:any)")
      ->type_name("RUN");
  add_probe_option(command, *options->request);
  options->request->checkpoint = add_checkpoint_options(command);
  return options;
}

namespace {

void tell_refusals(const planner::Plan& plan) {
  for (const auto& strategy : plan.strategies) {
    if (!refused_by_controller(strategy)) continue;
    fmt::print(stderr, "rv: not submitted, the controller refuses it: {}: {}\n", summary(strategy),
               one_line(strategy.controller->message));
  }
}

}  // namespace

WorkOrder order_for(const LaunchOptions& options, const std::vector<std::string>& words, const Settings& settings) {
  if (options.request->checkpoint->wanted && words.empty()) {
    throw Error("--checkpoint runs a command in segments, and there is none", "name the command to run",
                ExitCode::usage);
  }
  if (options.processes_per_node < 1) {
    throw Error(fmt::format("--procs-per-node {}: at least one process is needed", options.processes_per_node),
                "write a whole number from 1", ExitCode::usage);
  }
  if (const auto missing = missing_script(words)) {
    throw Error(fmt::format("{}: there is no such file in {}", *missing, os::current_folder()),
                "go to the script's folder first, or give its whole path", ExitCode::usage);
  }
  if (!options.array.elements.empty() && options.request->checkpoint->wanted) {
    throw Error("--array and --checkpoint can't go together: each element would need segments of its own",
                "run the elements with a shorter --time, or start one checkpointed run for each", ExitCode::usage);
  }
  auto order = plain_order(words, settings, options.notify);
  order.processes_per_node = options.processes_per_node;
  order.outputs = options.outputs;
  order.checkpoint = options.request->checkpoint->wanted ? options.request->checkpoint : nullptr;
  order.array = options.array;
  order.after = options.after;
  order.requeue = options.requeue;
  return order;
}

Launched launch(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                std::optional<KnownCluster> known) {
  if (invocation.hop && invocation.hop->resume.wanted) {
    const std::string& resumed = invocation.hop->resume.run;
    const std::string& home = invocation.settings.home;
    const std::string run = resumed.empty() ? remote::run_of_token(home, invocation.hop->token) : resumed;
    return {monitor::RunFolder(home + "/runs/" + run), 0};
  }
  auto planned = plan_for(*options.request, invocation, std::move(known));
  const int width = fanout(*options.request, invocation.settings);
  const auto& settings = invocation.settings;
  const OrderGrounds grounds = grounds_of(order, settings);
  const ScriptRun shown = preview_run(planned.request, order, settings);
  const auto script = [&](const planner::Strategy& strategy, int candidate) {
    return order_script(order, grounds, strategy, candidate, settings, shown);
  };
  if (options.request->probe) {
    const auto racing = [&](const planner::Plan& plan) {
      return race_numbers(plan, width, order.checkpoint != nullptr);
    };
    // Of the run to wait for the controller knows less than rv: it is asked when there would be GPUs.
    OrderGrounds now = grounds;
    now.following.reset();
    probe_controller(planned, *options.request, settings, racing,
                     [&](const planner::Strategy& strategy, int candidate) {
                       return order_script(order, now, strategy, candidate, settings, shown);
                     });
  }
  const bool possible = !racers(planned.plan, width, order).empty();
  if (options.dry_run || !possible) {
    const auto balance = balance_for(planned, *options.request, invocation);
    if (invocation.json) {
      auto document = plan_json(planned.plan, planned.request, script);
      for (auto& strategy : document["strategies"]) strategy["races"] = false;
      int candidate = 0;
      for (const std::size_t number : race_numbers(planned.plan, width, order.checkpoint != nullptr)) {
        auto& racer = document["strategies"][number];
        racer["races"] = true;
        racer["script"] = script(planned.plan.strategies[number], ++candidate);
      }
      if (balance) add_balance(document, *balance);
      fmt::print("{}", json_text(document));
    } else {
      fmt::print("{}", plan_table(planned.plan, planned.request, invocation.terminal));
      if (balance) fmt::print("\n{}", balance_text(*balance, planned.plan, invocation.terminal.width));
    }
    return {std::nullopt, possible ? 0 : static_cast<int>(ExitCode::no_strategy)};
  }
  if (!options.request->cluster_file.empty()) {
    throw Error("--cluster plans on a saved file and can't submit", "add --dry-run, or leave --cluster out",
                ExitCode::usage);
  }
  tell_refusals(planned.plan);
  return {start_run(planned.cluster, planned.request, planned.plan, settings, order, grounds, width), 0};
}

}  // namespace rv::cli
