#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/plan_view.h"
#include "cli/planning.h"
#include "cli/request_options.h"
#include "cli/values_json.h"
#include "planner/error.h"

namespace rv::cli {

int show_plan(const Planned& planned, const Invocation& invocation, const std::vector<std::string>& words) {
  if (invocation.json) {
    const auto script = [&](const planner::Strategy& strategy, int rank) {
      return preview_script(invocation, planned.request, strategy, rank, words);
    };
    fmt::print("{}", json_text(plan_json(planned.plan, planned.request, script)));
  } else {
    fmt::print("{}", plan_table(planned.plan, planned.request, invocation.terminal));
  }
  return static_cast<int>(planned.plan.strategies.empty() ? ExitCode::no_strategy : ExitCode::ok);
}

void add_plan(CLI::App& app, const Invocation& invocation, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Show every way to get the GPUs, best first");
  const auto options = add_request_options(*command);
  command->footer(
      "Examples:\n"
      "  rv plan --gpu 4 --time 30m\n"
      "  rv plan -g 2 -t a100,h200 --vram 80G\n"
      "  rv plan -g 8 --cluster saved.json --json");
  command->callback([&invocation, &action, options] {
    action = [&invocation, options] { return show_plan(plan_for(*options, invocation), invocation, {}); };
  });
}

}  // namespace rv::cli
