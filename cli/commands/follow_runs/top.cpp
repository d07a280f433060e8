// rv top: the GPUs of the cluster and the user's runs, in full screen.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/top/draw.h"
#include "cli/top/poller.h"
#include "cli/top/session.h"
#include "cli/top/top_json.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

int show_once(const Invocation& invocation) {
  top::Poller poller(invocation);
  poller.look_at_all();
  const auto& known = poller.known();
  if (invocation.json) {
    fmt::print("{}", json_text(top::top_json(known)));
    return 0;
  }
  const auto now = current_time();
  top::Choice choice;
  if (!known.gpus.empty()) choice.selected = known.gpus.begin()->first;
  const int width = std::clamp(invocation.terminal.width, 60, 250);
  const int height = std::max(20, top::rows_for_all(known));
  fmt::print("{}", top::draw(known, choice, now, width, height, invocation.terminal.utf8).screen.text());
  return 0;
}

void add_top(CLI::App& command, const Invocation& invocation, Action& action) {
  auto once = std::make_shared<bool>(false);
  add_flag(command, "--once", *once, "print one screen as text and exit");
  set_footer(command,
             "Keys: l logs, w why, i show, e shell, x stop (asks), / filter, s sort, ? help, q quit;\n"
             "the mouse selects.\n\n"
             "Examples:\n  rv top\n  rv -H login top\n  rv top --once\n  rv top --json");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (*once || invocation.json) return show_once(invocation);
      const auto& terminal = invocation.terminal;
      if (!terminal.in || !terminal.out || !terminal.cursor) {
        throw Error("rv top needs a terminal",
                    "rv ps lists the runs; rv top --once prints one screen, rv top --json the data", ExitCode::usage);
      }
      return top::run_session(invocation);
    };
  });
}

}  // namespace

extern const Command top_command{
    .name = "top",
    .summary = "Watch GPUs and runs, full screen",
    .group = groups::follow_runs,
    .add = add_top,
};

}  // namespace rv::cli
