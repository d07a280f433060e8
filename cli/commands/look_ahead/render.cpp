#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/preview.h"
#include "cli/options/command_option.h"
#include "cli/options/option_record.h"
#include "cli/options/option_values.h"
#include "cli/options/user_command.h"
#include "cli/options/value_option.h"
#include "cli/views/plan_view.h"

namespace rv::cli {

namespace {

/// The position in the plan of the requested strategy, or else of the first one that would be submitted.
std::size_t chosen(const Preview& preview, std::optional<int> rank) {
  const auto& plan = preview.planned.plan;
  if (!rank) {
    const auto races = preview.races(plan);
    return races.empty() ? 0 : races.front();
  }
  if (static_cast<std::size_t>(*rank) > plan.strategies.size()) {
    throw Error(fmt::format("--strategy {}: the plan has only {} strategies", *rank, plan.strategies.size()),
                "list them with rv plan and the same options", ExitCode::usage);
  }
  return static_cast<std::size_t>(*rank) - 1;
}

int render(const std::shared_ptr<LaunchOptions>& typed, const std::vector<std::string>& given, std::optional<int> rank,
           const Invocation& invocation) {
  const auto all = with_batch(typed, add_options_of_run, given, {.command = "render"}, invocation);
  const LaunchOptions& options = *all;
  auto order = order_for(options, invocation.user_command, invocation);
  order.job.joined_output = joins_output(options, /*streamed=*/false, invocation.terminal);
  const auto preview = preview_of(options, order, invocation, needs_of(options, order, invocation));
  say_launcher_note(preview);
  const auto& strategies = preview.planned.plan.strategies;
  if (strategies.empty()) {
    fmt::print(stderr, "{}", plan_table(preview.planned.plan, preview.planned.request, invocation.terminal));
    return static_cast<int>(ExitCode::no_strategy);
  }
  const auto place = chosen(preview, rank);
  const std::string script = preview.script(place);
  if (!invocation.json) {
    fmt::print("{}", script);
    return 0;
  }
  nlohmann::ordered_json document = strategy_to_json(strategies[place], static_cast<int>(place) + 1);
  document["script"] = script;
  fmt::print("{}", json_text(document));
  return 0;
}

void add_render(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_options_of_run(command);
  auto rank = std::make_shared<std::optional<int>>();
  add_value(command, "--strategy", *rank, count_from(1, 10'000),
            "number of the strategy in rv plan (default: the first in the race)")
      .type_name("K");
  add_user_command(command, "the command to run; without it, the script holds the GPUs", false);
  set_footer(command,
             "Examples:\n"
             "  rv render --gpu 4 --time 30m\n"
             "  rv render -g 4 --strategy 2 python train.py --lr 0.1\n"
             "  rv render -g 1 --array 0-9 --after prepare python fit.py");
  set_callback(command, [&command, &invocation, &action, options, rank] {
    action = [&command, &invocation, options, rank] {
      return render(options, options_given(command, {"--strategy"}), *rank, invocation);
    };
  });
}

}  // namespace

extern const Command render_command{
    .name = "render",
    .summary = "Print the batch script of one strategy",
    .group = groups::look_ahead,
    .common = {"gpu", "type", "time", "strategy", "nodes", "partition", "account", "output", "array", "after",
               "checkpoint", "container"},
    .stays_here = on_saved_cluster,
    .add = add_render,
};

}  // namespace rv::cli
