// rv cost: what runs have cost and can still cost.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/table.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/balance.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/run_word.h"
#include "cli/options/value_option.h"
#include "cli/views/run_cost.h"
#include "cli/views/run_table.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

struct CostOptions {
  RunWord run;
  std::optional<std::chrono::seconds> since;
};

struct Sum {
  double gpu_hours = 0;
  double spent = 0;
  double up_to = 0;
  int without_price = 0;

  void add(const RunCost& cost) {
    gpu_hours += cost.gpu_hours;
    spent += cost.spent.value_or(0);
    up_to += cost.up_to.value_or(cost.spent.value_or(0));
    if (!cost.spent || !cost.up_to) ++without_price;
  }
};

std::vector<monitor::KnownRun> chosen_runs(const CostOptions& options, const Settings& settings, slurm::TimePoint now) {
  auto runs = monitor::known_runs(settings.runs_folder());
  if (*options.run) return {monitor::resolve_run(runs, **options.run)};
  if (options.since) {
    const auto since = now - *options.since;
    std::erase_if(runs, [&](const monitor::KnownRun& run) { return run.record.created < since; });
  }
  return runs;
}

std::string units(const std::optional<double>& su) {
  return su ? fmt::format("{:.1f}", *su) : "?";
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

void print_json(const monitor::SeenRuns& seen, const std::vector<RunCost>& costs, const Sum& sum,
                const std::optional<Balance>& balance) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    rows.push_back({{"id", seen.records[i].id},
                    {"name", seen.records[i].name},
                    {"state", to_string(seen.views[i].state)},
                    {"gpu_hours", costs[i].gpu_hours},
                    {"spent_su", or_null(costs[i].spent)},
                    {"up_to_su", or_null(costs[i].up_to)}});
  }
  nlohmann::ordered_json document{{"runs", rows},
                                  {"total",
                                   {{"gpu_hours", sum.gpu_hours},
                                    {"spent_su", sum.spent},
                                    {"up_to_su", sum.up_to},
                                    {"runs_without_price", sum.without_price}}}};
  if (balance) document["balance"] = balance_to_json(*balance);
  fmt::print("{}", json_text(document));
}

void print_table(const monitor::SeenRuns& seen, const std::vector<RunCost>& costs, const Sum& sum,
                 const os::Terminal& terminal) {
  Table table;
  for (const char* title : {"ID", "NAME", "STATE"}) table.column(title);
  for (const char* title : {"GPU-HOURS", "SPENT (SU)", "UP TO (SU)"}) table.column(title, Table::Align::right);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    table.row({seen.records[i].id, one_line(seen.records[i].name), std::string(to_string(seen.views[i].state)),
               fmt::format("{:.2f}", costs[i].gpu_hours), units(costs[i].spent), units(costs[i].up_to)});
  }
  table.row({"total", "", "", fmt::format("{:.2f}", sum.gpu_hours), units(sum.spent), units(sum.up_to)});
  fmt::print("{}", table.text(terminal.table_width(), terminal.colour));
  if (sum.without_price > 0) {
    fmt::print(stderr, "rv: the price of {} of these runs is not known and not in the total (su_per_gpu_hour)\n",
               sum.without_price);
  }
}

int show(const CostOptions& options, const Invocation& invocation) {
  std::optional<Balance> balance;
  if (invocation.settings.balance) balance = ask_balance(*invocation.settings.balance, invocation.settings.account);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto seen = monitor::see_runs(chosen_runs(options, invocation.settings, now));
  std::vector<RunCost> costs;
  Sum sum;
  for (const auto& view : seen.views) {
    costs.push_back(cost_of(view, now));
    sum.add(costs.back());
  }
  if (invocation.json) {
    print_json(seen, costs, sum, balance);
  } else if (costs.empty()) {
    fmt::print(stderr, "rv: no runs\n");
  } else {
    print_table(seen, costs, sum, invocation.terminal);
  }
  if (balance && !invocation.json) fmt::print("{}", balance_text(*balance, {}, invocation.terminal.width));
  monitor::report_trouble(seen.trouble);
  return 0;
}

void add_cost(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<CostOptions>();
  options->run = add_run_word(command, "ID, name, or unique beginning of an ID (all runs)");
  add_value(command, "--since", options->since, duration_value,
            "only runs that were asked for so long ago at most: 7d, 12h")
      .type_name("TIME");
  set_footer(command, "Examples:\n  rv cost\n  rv cost --since 30d\n  rv cost train --json");
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return show(*options, invocation); }; });
}

}  // namespace

extern const Command cost_command{
    .name = "cost",
    .summary = "What your runs have cost, and can still cost",
    .group = groups::follow_runs,
    .add = add_cost,
};

}  // namespace rv::cli
