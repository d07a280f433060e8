#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/accuracy_view.h"
#include "cli/commands.h"
#include "cli/plan_view.h"
#include "cli/planning.h"
#include "cli/request_options.h"
#include "cli/values_json.h"
#include "monitor/atomic_file.h"
#include "monitor/observed_wait.h"
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

namespace {

int show_accuracy(const Invocation& invocation) {
  const auto lines = monitor::read_file(invocation.settings.home + "/waits.jsonl");
  const auto observed = monitor::parse_observed_waits(lines.value_or(""));
  if (invocation.json) {
    fmt::print("{}", json_text(accuracy_json(observed)));
  } else {
    fmt::print("{}", accuracy_text(observed));
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace

void add_plan(CLI::App& app, const Invocation& invocation, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Show every way to get the GPUs, best first");
  const auto options = add_request_options(*command);
  const auto accuracy = std::make_shared<bool>(false);
  command->add_flag("--accuracy", *accuracy, "how right the waits predicted for your runs so far were");
  command->footer(
      "Examples:\n"
      "  rv plan --gpu 4 --time 30m\n"
      "  rv plan -g 2 -t a100,h200 --vram 80G\n"
      "  rv plan -g 8 --cluster saved.json --json");
  command->callback([&invocation, &action, options, accuracy] {
    action = [&invocation, options, accuracy] {
      if (*accuracy) return show_accuracy(invocation);
      return show_plan(plan_for(*options, invocation), invocation, {});
    };
  });
}

}  // namespace rv::cli
