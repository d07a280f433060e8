// rv cost: what runs have cost and can still cost.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/table.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/balance.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/run_argument.h"
#include "cli/options/value_option.h"
#include "cli/views/run_cost.h"
#include "cli/views/run_table.h"
#include "monitor/race/watch_runs.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

struct CostOptions {
  RunArgument run;
  std::optional<std::chrono::seconds> since;
  std::optional<CostKey> by;
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
  auto runs = monitor::runs_in(settings.runs_folder());
  if (*options.run) return {monitor::resolve_run(runs, **options.run)};
  if (options.since) {
    const auto since = now - *options.since;
    std::erase_if(runs, [&](const monitor::ListedRun& run) { return run.created < since; });
  }
  return monitor::read_runs(runs);
}

std::string units(const std::optional<double>& su) {
  return su ? fmt::format("{:.1f}", *su) : "?";
}

CostKey key_value(const std::string& option, const std::string& text) {
  if (text == "month") return CostKey::month;
  if (text == "name") return CostKey::name;
  if (text == "type") return CostKey::type;
  throw wrong_value(option, text, "month, name or type", "write it like --by month");
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

void print_json(const monitor::PolledRuns& seen, const std::vector<RunCost>& costs, const Sum& sum,
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

void warn_about_prices(const Sum& sum) {
  if (sum.without_price == 0) return;
  fmt::print(stderr, "rv: the total lacks {} of these runs, whose price is unknown (su_per_gpu_hour)\n",
             sum.without_price);
}

void print_table(const monitor::PolledRuns& seen, const std::vector<RunCost>& costs, const Sum& sum,
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
  warn_about_prices(sum);
}

nlohmann::ordered_json group_json(const CostGroup& group) {
  return {{"key", group.key},
          {"runs", group.runs},
          {"gpu_hours", group.gpu_hours},
          {"failed_gpu_hours", group.failed_gpu_hours},
          {"stopped_gpu_hours", group.stopped_gpu_hours},
          {"spent_su", group.spent},
          {"failed_su", group.failed},
          {"stopped_su", group.stopped},
          {"waiting_up_to_su", group.waiting},
          {"runs_without_price", group.without_price}};
}

/// SU stand in the table only where some run has a price.
void print_groups(CostKey by, const std::vector<CostGroup>& groups, const Sum& sum, const os::Terminal& terminal) {
  const bool priced =
      std::any_of(groups.begin(), groups.end(), [](const auto& group) { return group.without_price < group.runs; });
  Table table;
  table.column(by == CostKey::month ? "MONTH" : by == CostKey::name ? "NAME" : "TYPE");
  for (const char* title : {"RUNS", "GPU-HOURS", "FAILED", "STOPPED"}) table.column(title, Table::Align::right);
  if (priced) {
    for (const char* title : {"SPENT (SU)", "FAILED (SU)", "STOPPED (SU)", "WAITING (SU)"}) {
      table.column(title, Table::Align::right);
    }
  }
  const auto add = [&](const CostGroup& group) {
    std::vector<std::string> row{one_line(group.key), std::to_string(group.runs)};
    for (const double hours : {group.gpu_hours, group.failed_gpu_hours, group.stopped_gpu_hours}) {
      row.push_back(fmt::format("{:.2f}", hours));
    }
    for (const double su : {group.spent, group.failed, group.stopped, group.waiting}) {
      if (priced) row.push_back(fmt::format("{:.1f}", su));
    }
    table.row(row);
  };
  CostGroup total{.key = "total"};
  for (const auto& group : groups) {
    add(group);
    total.runs += group.runs;
    total.gpu_hours += group.gpu_hours;
    total.failed_gpu_hours += group.failed_gpu_hours;
    total.stopped_gpu_hours += group.stopped_gpu_hours;
    total.spent += group.spent;
    total.failed += group.failed;
    total.stopped += group.stopped;
    total.waiting += group.waiting;
  }
  add(total);
  fmt::print("{}", table.text(terminal.table_width(), terminal.colour));
  warn_about_prices(sum);
}

void show_groups(CostKey by, const monitor::PolledRuns& seen, const std::vector<RunCost>& costs, const Sum& sum,
                 const Invocation& invocation) {
  const auto groups = grouped_costs(by, seen.records, seen.views, costs);
  if (!invocation.json) return print_groups(by, groups, sum, invocation.terminal);
  auto list = nlohmann::ordered_json::array();
  for (const auto& group : groups) list.push_back(group_json(group));
  const char* const word = by == CostKey::month ? "month" : by == CostKey::name ? "name" : "type";
  fmt::print("{}", json_text({{"by", word}, {"groups", list}}));
}

int show(const CostOptions& options, const Invocation& invocation) {
  std::optional<Balance> balance;
  if (invocation.settings.balance) balance = ask_balance(*invocation.settings.balance, invocation.settings.account);
  const auto now = current_time();
  auto runs = chosen_runs(options, invocation.settings, now);
  // The run that such a command is in has its GPUs and is charged.
  std::erase_if(runs, [](const auto& run) { return run.record.job.inside.has_value(); });
  const auto seen = monitor::poll_runs(runs);
  std::vector<RunCost> costs;
  Sum sum;
  for (const auto& view : seen.views) {
    costs.push_back(cost_of(view, now));
    sum.add(costs.back());
  }
  if (options.by && (invocation.json || !costs.empty())) {
    show_groups(*options.by, seen, costs, sum, invocation);
  } else if (invocation.json) {
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
  options->run = add_run_argument(command, "ID, name, or unique beginning of an ID (default: all runs)");
  add_value(command, "--since", options->since, duration_value, "only runs created within this time: 7d, 12h")
      .type_name("TIME");
  add_value(command, "--by", options->by, key_value, "add up by month, name or type of GPU")
      .type_name("month|name|type");
  set_footer(command, "Examples:\n  rv cost\n  rv cost --since 30d\n  rv cost --by month\n  rv cost train --json");
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return show(*options, invocation); }; });
}

}  // namespace

extern const Command cost_command{
    .name = "cost",
    .summary = "Show what your runs have cost, and may still cost",
    .group = groups::follow_runs,
    .add = add_cost,
};

}  // namespace rv::cli
