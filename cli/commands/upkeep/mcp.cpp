// rv mcp: a server through which agents use rv, and the GPU hours that the user allows them.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/mcp/budget_file.h"
#include "cli/mcp/server.h"
#include "cli/options/command_option.h"
#include "shared/number.h"

namespace rv::cli {
namespace {

constexpr double most_hours = 1e6;

struct McpOptions {
  std::string action = "serve";
  std::string hours;
};

[[noreturn]] void refuse(const std::string& message, const std::string& advice) {
  throw Error(message, advice, ExitCode::usage);
}

std::int64_t gpu_seconds(const std::string& text) {
  const auto hours = number_in<double>(text, 0, most_hours);
  if (!hours) {
    throw wrong_value("rv mcp allow", text, "a number of GPU hours from 0 to 1000000", "write it like rv mcp allow 8");
  }
  return std::llround(*hours * 3600);
}

int allow(const McpOptions& options, const Invocation& invocation) {
  if (options.hours.empty()) refuse("rv mcp allow needs a number of GPU hours", "write it like rv mcp allow 8");
  const auto seconds = gpu_seconds(options.hours);
  if (!invocation.terminal.in) {
    refuse("rv mcp allow: stdin is not a terminal", "only you can set the budget: type the command in a terminal");
  }
  mcp::BudgetFile(invocation.settings.home).change([&](mcp::Budget& budget) { mcp::grant(budget, seconds); });
  if (seconds == 0) {
    fmt::print(stderr, "rv: agents can't start runs any more; runs that they started continue\n");
  } else {
    fmt::print(stderr, "rv: agents may use {} from now on\n", mcp::in_hours(seconds));
  }
  return 0;
}

int print_budget(const Invocation& invocation) {
  const auto budget = mcp::BudgetFile(invocation.settings.home).read();
  if (!invocation.json) {
    fmt::print("{} allowed, {} reserved, {} left\n", mcp::in_hours(budget.granted), mcp::in_hours(budget.reserved),
               mcp::in_hours(budget.left()));
    return 0;
  }
  const auto hours = [](std::int64_t seconds) { return static_cast<double>(seconds) / 3600; };
  fmt::print("{}", json_text({{"allowed_gpu_hours", hours(budget.granted)},
                              {"reserved_gpu_hours", hours(budget.reserved)},
                              {"left_gpu_hours", hours(budget.left())},
                              {"runs", budget.runs}}));
  return 0;
}

int serve(const CLI::App& rv, const Invocation& invocation) {
  if (invocation.terminal.in) {
    refuse("rv mcp reads messages of an agent from stdin, which is a terminal",
           "enter the command rv mcp in the agent's list of MCP servers; rv mcp allow HOURS sets its budget");
  }
  mcp::ToolCalls calls(rv, invocation.settings.home, invocation.host);
  return mcp::Server(calls, mcp::tool_list(rv)).serve();
}

int act(const McpOptions& options, const CLI::App& rv, const Invocation& invocation) {
  const auto& action = options.action;
  if (action == "allow") return allow(options, invocation);
  if (action != "serve" && action != "budget") {
    refuse(fmt::format("rv mcp: unknown action \"{}\"", one_line(action)), "the actions are serve, allow and budget");
  }
  if (!options.hours.empty()) {
    refuse(fmt::format("rv mcp {} does not accept \"{}\"", action, one_line(options.hours)), "see rv mcp --help");
  }
  return action == "serve" ? serve(rv, invocation) : print_budget(invocation);
}

void add_mcp(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<McpOptions>();
  add_option(command, "action", options->action, "serve (the default), allow or budget")
      .type_name("serve|allow|budget");
  add_option(command, "hours", options->hours, "with allow: GPU hours that agents may use from now on; 0: none")
      .type_name("HOURS");
  set_footer(command,
             "Examples:\n"
             "  rv mcp allow 8     agents may start runs of up to 8 GPU hours in total\n"
             "  rv mcp budget      show the GPU hours that are left\n"
             "  rv mcp             serve an agent on stdin and stdout; agents start this themselves");
  set_callback(command, [=, &command, &invocation, &action] {
    action = [=, &command, &invocation] { return act(*options, mcp::root_of(command), invocation); };
  });
}

}  // namespace

extern const Command mcp_command{
    .name = "mcp",
    .summary = "Let an agent use rv (Model Context Protocol), with a budget of GPU hours",
    .group = groups::other,
    .runs_on = RunsOn::here,
    .add = add_mcp,
};

}  // namespace rv::cli
