#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/order_script.h"
#include "cli/launch/planning.h"
#include "cli/launch/project_environment.h"
#include "cli/options/option_values.h"
#include "cli/options/request_options.h"
#include "cli/options/user_command.h"
#include "cli/options/value_option.h"
#include "cli/views/plan_view.h"

namespace rv::cli {

namespace {

int render(const RequestOptions& options, int rank, const Invocation& invocation) {
  const Planned planned = plan_for(options, invocation);
  const auto& strategies = planned.plan.strategies;
  if (strategies.empty()) {
    fmt::print(stderr, "{}", plan_table(planned.plan, planned.request, invocation.terminal));
    return static_cast<int>(ExitCode::no_strategy);
  }
  if (static_cast<std::size_t>(rank) > strategies.size()) {
    throw Error(fmt::format("--strategy: there is no strategy {}, the plan has {}", rank, strategies.size()),
                "rv plan with the same options lists them", ExitCode::usage);
  }
  const planner::Strategy& strategy = strategies[static_cast<std::size_t>(rank) - 1];
  const auto& settings = invocation.settings;
  WorkOrder order =
      plain_order(invocation.user_command, settings, "", {.interpreter = {}, .as_typed = invocation.as_typed});
  order.joined_output = true;  // as rv run has it when nobody follows
  OrderGrounds grounds = grounds_of(order, settings);
  if (const auto needs = project_needs(order.typed, invocation)) add_project(grounds, *needs);
  const std::string script =
      order_script(order, grounds, strategy, rank, settings, preview_run(planned.request, order, settings));
  if (!invocation.json) {
    fmt::print("{}", script);
    return 0;
  }
  nlohmann::ordered_json document = strategy_to_json(strategy, rank);
  document["script"] = script;
  fmt::print("{}", json_text(document));
  return 0;
}

void add_render(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_request_options(command);
  auto rank = std::make_shared<int>(1);
  add_value(command, "--strategy", *rank, count_from(1, 10'000), "the strategy's number in rv plan (1)")
      ->type_name("K");
  add_user_command(command, "what the script runs; without it, a script that holds the GPUs", false);
  command.footer(
      "Examples:\n"
      "  rv render --gpu 4 --time 30m\n"
      "  rv render -g 4 --strategy 2 python train.py --lr 0.1");
  command.callback([&invocation, &action, options, rank] {
    action = [&invocation, options, rank] { return render(*options, *rank, invocation); };
  });
}

}  // namespace

extern const Command render_command{
    .name = "render",
    .summary = "Print the batch script of one strategy",
    .group = groups::look_ahead,
    .stays_here = on_saved_cluster,
    .add = add_render,
};

}  // namespace rv::cli
