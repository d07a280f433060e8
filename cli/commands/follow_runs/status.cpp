// rv status: the runs under way and what is free.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/request_options.h"
#include "cli/views/cluster_view.h"
#include "cli/views/run_table.h"
#include "monitor/race/watch_runs.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

monitor::PolledRuns see_runs_under_way(const Settings& settings) {
  const auto runs = monitor::runs_in(settings.runs_folder());
  return monitor::poll_runs(monitor::open_runs(runs), monitor::recently_ended(runs));
}

void add_status(CLI::App& command, const Invocation& invocation, Action& action) {
  set_footer(command, "Examples:\n  rv status\n  rv status --json");
  set_callback(command, [&invocation, &action] {
    action = [&invocation] {
      const auto seen = see_runs_under_way(invocation.settings);
      const auto cluster = read_cluster(invocation.settings);
      if (invocation.json) {
        nlohmann::ordered_json json;
        json["runs"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < seen.views.size(); ++i) {
          json["runs"].push_back(run_json(seen.records[i], seen.views[i]));
        }
        json["gpus"] = gpu_rows_json(cluster, invocation.settings.catalogue);
        fmt::print("{}", json_text(json));
        return 0;
      }
      if (seen.views.empty()) {
        fmt::print("No runs under way.\n\n");
      } else {
        const auto now = current_time();
        fmt::print("{}\n", run_table(seen.records, seen.views, now, invocation.terminal));
      }
      fmt::print("{}", cluster_table(cluster, invocation.settings.catalogue, invocation.terminal));
      monitor::report_trouble(seen.trouble);
      return 0;
    };
  });
}

}  // namespace

extern const Command status_command{
    .name = "status",
    .summary = "Show your current runs and the free GPUs",
    .group = groups::follow_runs,
    .add = add_status,
};

}  // namespace rv::cli
