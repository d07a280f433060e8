// rv ps: the runs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/views/run_table.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {

namespace {

void add(CLI::App& command, const Invocation& invocation, Action& action) {
  auto all = std::make_shared<bool>(false);
  command.add_flag("-a,--all", *all, "also those that are over");
  command.footer("Examples:\n  rv ps\n  rv ps -a --json");
  command.callback([=, &invocation, &action] {
    action = [=, &invocation] {
      std::vector<monitor::KnownRun> runs;
      for (auto& run : monitor::known_runs(invocation.settings.runs_folder())) {
        if (*all || !run.over) runs.push_back(std::move(run));
      }
      const auto seen = monitor::see_runs(runs);
      if (invocation.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < runs.size(); ++i) list.push_back(run_json(seen.records[i], seen.views[i]));
        fmt::print("{}", json_text({{"runs", list}}));
      } else if (runs.empty()) {
        fmt::print(stderr, "rv: no runs{}\n", *all ? "" : " under way; rv ps -a lists those that are over");
      } else {
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        fmt::print("{}", run_table(seen.records, seen.views, now, invocation.terminal));
      }
      monitor::report_trouble(seen.trouble);
      return 0;
    };
  });
}

}  // namespace

const Command ps_command{
    .name = "ps",
    .summary = "List runs that are not over, or all",
    .group = groups::follow_runs,
    .add = add,
};

}  // namespace rv::cli
