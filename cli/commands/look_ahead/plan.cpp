#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/order_script.h"
#include "cli/launch/planning.h"
#include "cli/launch/probe.h"
#include "cli/launch/start_run.h"
#include "cli/options/request_options.h"
#include "cli/views/accuracy_view.h"
#include "cli/views/plan_view.h"
#include "monitor/jobs/observed_wait.h"
#include "planner/explain.h"

namespace rv::cli {

namespace {

using Script = std::function<std::string(const planner::Strategy&, int rank)>;

/// The scripts that would hold the GPUs, for nobody has said yet what shall happen on them.
Script holding_scripts(const Planned& planned, const Settings& settings) {
  const WorkOrder order = plain_order({}, settings);
  return [order, grounds = grounds_of(order, settings), run = preview_run(planned.request, order, settings), &settings](
             const planner::Strategy& strategy, int rank) {
    return order_script(order, grounds, strategy, rank, settings, run);
  };
}

int show_plan(const Planned& planned, const std::optional<Balance>& balance, const Invocation& invocation) {
  if (invocation.json) {
    auto document = plan_json(planned.plan, planned.request, holding_scripts(planned, invocation.settings));
    if (balance) add_balance(document, *balance);
    fmt::print("{}", json_text(document));
  } else {
    fmt::print("{}", plan_table(planned.plan, planned.request, invocation.terminal));
    if (balance) fmt::print("\n{}", balance_text(*balance, planned.plan, invocation.terminal.width));
  }
  return static_cast<int>(planned.plan.strategies.empty() ? ExitCode::no_strategy : ExitCode::ok);
}

int explain_plan(const Planned& planned, const std::optional<Balance>& balance, const Invocation& invocation) {
  const planner::Cluster cluster = cluster_within_settings(planned.cluster, invocation.settings, planned.request);
  const planner::Explanation told =
      planner::explain(planned.plan, cluster, invocation.settings.catalogue, planned.request, planned.forecast_inputs);
  if (!invocation.json) {
    const int code = show_plan(planned, balance, invocation);
    if (!told.why.empty()) fmt::print("\n{}", explanation_text(told, invocation.terminal));
    return code;
  }
  auto document = plan_json(planned.plan, planned.request, holding_scripts(planned, invocation.settings));
  if (balance) add_balance(document, *balance);
  document["explanation"] = explanation_json(told);
  fmt::print("{}", json_text(document));
  return static_cast<int>(planned.plan.strategies.empty() ? ExitCode::no_strategy : ExitCode::ok);
}

void probe_first_strategies(Planned& planned, const RequestOptions& options, const Invocation& invocation) {
  const int width = fanout(options, invocation.settings);
  const auto racing = [&](const planner::Plan& plan) {
    return race_numbers(plan, width, planned.request.checkpoint_only);
  };
  probe_controller(planned, options, invocation.settings, racing, holding_scripts(planned, invocation.settings));
}

int show_accuracy(const Invocation& invocation) {
  const auto lines = os::read_file(monitor::waits_file(invocation.settings.home));
  const auto observed = monitor::parse_observed_waits(lines.value_or(""));
  if (invocation.json) {
    fmt::print("{}", json_text(accuracy_json(observed)));
  } else {
    fmt::print("{}", accuracy_text(observed));
  }
  return static_cast<int>(ExitCode::ok);
}

void add_plan(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_request_options(command);
  const auto explained = std::make_shared<bool>(false);
  command.add_flag("--explain", *explained, "say why the first is first, and what would start sooner")->group("GPUs");
  add_probe_option(command, *options);
  const auto accuracy = std::make_shared<bool>(false);
  command.add_flag("--accuracy", *accuracy, "how right the waits predicted for your runs so far were");
  command.footer(
      "Examples:\n"
      "  rv plan --gpu 4 --time 30m\n"
      "  rv plan -g 2 -t a100,h200 --vram 80G\n"
      "  rv plan -g 4 --probe                           the controller's own word beside the prediction\n"
      "  rv plan -g 8 --cluster saved.json --json");
  command.callback([&invocation, &action, options, explained, accuracy] {
    action = [&invocation, options, explained, accuracy] {
      if (*accuracy) return show_accuracy(invocation);
      Planned planned = plan_for(*options, invocation);
      if (options->probe) probe_first_strategies(planned, *options, invocation);
      const auto balance = balance_for(planned, *options, invocation);
      return *explained ? explain_plan(planned, balance, invocation) : show_plan(planned, balance, invocation);
    };
  });
}

}  // namespace

extern const Command plan_command{
    .name = "plan",
    .summary = "Show every strategy to get the GPUs, best first",
    .group = groups::look_ahead,
    .stays_here = on_saved_cluster,
    .add = add_plan,
};

}  // namespace rv::cli
