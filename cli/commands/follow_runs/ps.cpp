// rv ps: the runs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/account/account_text.h"
#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"
#include "cli/views/prometheus.h"
#include "cli/views/run_table.h"
#include "monitor/race/watch_runs.h"
#include "shared/time_text.h"

namespace rv::cli {

namespace {

using monitor::RunState;

/// How many ended runs are listed without --limit: after a year of use a user has thousands.
constexpr std::size_t usual_limit = 50;

struct PsOptions {
  bool all = false;
  std::optional<std::chrono::seconds> since;
  std::vector<RunState> states;
  std::string name;
  std::optional<int> limit;            // 0: none
  std::optional<std::string> account;  // show what it holds and used, no runs
  std::string prometheus;              // write metrics there, and print no runs
};

void add_states(std::vector<RunState>& states, const std::string& option, const std::string& text) {
  for (const auto& word : list_value(option, text)) {
    if (const auto state = monitor::run_state_from(lower(word))) {
      states.push_back(*state);
      continue;
    }
    std::vector<std::string> known;
    for (const auto state : monitor::all_run_states()) known.emplace_back(to_string(state));
    throw wrong_value(option, word, "a state" + suggestion(word, known), "the states are " + listed(known));
  }
}

/// Chooses by what the folders record. Slurm is queried only about the runs that are returned.
std::vector<monitor::ListedRun> chosen_runs(const PsOptions& options, const std::vector<monitor::ListedRun>& known) {
  // With a time, or with a state of ended runs, those are listed too.
  const bool finals = options.since || std::any_of(options.states.begin(), options.states.end(), monitor::is_final);
  const auto now = current_time();
  std::vector<monitor::ListedRun> runs;
  for (const auto& run : known) {
    const bool wanted = (options.all || finals || !run.over) &&
                        (options.name.empty() || run.name.find(options.name) != std::string::npos) &&
                        (!options.since || run.created >= now - *options.since);
    if (wanted) runs.push_back(run);
  }
  return runs;
}

/// Those runs, and a poll of those that ended just now. A run that is polled twice would have its jobs cancelled twice.
monitor::PolledRuns see_all(const std::vector<monitor::ListedRun>& runs, const std::vector<monitor::ListedRun>& known) {
  auto recent = monitor::recently_ended(known);
  std::erase_if(recent, [&](const monitor::KnownRun& run) {
    return std::any_of(runs.begin(), runs.end(), [&](const auto& own) { return own.id() == run.record.id; });
  });
  return monitor::poll_runs(monitor::read_runs(runs), recent);
}

struct Shown {
  monitor::PolledRuns seen;
  std::size_t left_out = 0;
};

Shown look(const PsOptions& options, const Invocation& invocation) {
  const auto known = monitor::runs_in(invocation.settings.runs_folder());
  auto runs = chosen_runs(options, known);
  const bool asked = options.limit || invocation.json || options.since || !options.name.empty();
  const std::size_t limit = options.limit.value_or(0) > 0 ? static_cast<std::size_t>(*options.limit)
                            : asked                       ? runs.size()
                                                          : usual_limit;
  Shown shown;
  if (options.states.empty()) {
    // All that are not over, and the newest of the others.
    std::size_t over = 0;
    const auto whole = runs.size();
    std::erase_if(runs, [&](const monitor::ListedRun& run) {
      return options.limit.value_or(0) > 0 ? over++ >= limit : run.over && over++ >= limit;
    });
    shown.left_out = whole - runs.size();
  }
  shown.seen = see_all(runs, known);
  if (options.states.empty()) return shown;
  monitor::PolledRuns kept{.records = {}, .views = {}, .trouble = shown.seen.trouble};
  for (std::size_t i = 0; i < shown.seen.views.size(); ++i) {
    const auto& states = options.states;
    if (std::find(states.begin(), states.end(), shown.seen.views[i].state) == states.end()) continue;
    if (kept.views.size() == limit) {
      ++shown.left_out;
      continue;
    }
    kept.records.push_back(std::move(shown.seen.records[i]));
    kept.views.push_back(std::move(shown.seen.views[i]));
  }
  shown.seen = std::move(kept);
  return shown;
}

/// A name in the form that sacctmgr reads as a single account in a list.
void check_name(const std::string& account) {
  const bool whole = std::all_of(account.begin(), account.end(), [](unsigned char c) {
    return c > ' ' && c != ',' && c != '"' && c != '\'' && c != 0x7f;
  });
  if (account.empty() || !whole || account.front() == '-') {
    throw wrong_value("--account", account, "the name of one account", "write it like rv ps --account lab");
  }
}

int show_account(const PsOptions& options, const Invocation& invocation) {
  check_name(*options.account);
  if (options.all || options.since || !options.states.empty() || !options.name.empty() || options.limit) {
    throw Error("--account can't be combined with options that choose runs",
                "rv ps --account NAME shows an account; rv ps --name TEXT chooses among your runs", ExitCode::usage);
  }
  const auto use = account_use(*options.account, invocation);
  fmt::print("{}", invocation.json ? json_text(account_json(use)) : account_text(use, invocation.terminal));
  return 0;
}

int write_metrics(const PsOptions& options, const Invocation& invocation) {
  if (options.all || !options.states.empty() || !options.name.empty() || options.limit || options.account) {
    throw Error("--prometheus counts all runs: it can be combined only with --since",
                "leave out the other options; rv ps --json lists the runs themselves", ExitCode::usage);
  }
  constexpr auto usual_window = std::chrono::hours(24);
  const auto window = options.since.value_or(usual_window);
  const auto known = monitor::runs_in(invocation.settings.runs_folder());
  const auto now = current_time();
  auto runs = known;
  std::erase_if(runs, [&](const auto& run) { return run.over && run.created < now - window; });
  auto seen = see_all(runs, known);
  const Metrics metrics{.records = std::move(seen.records),
                        .views = std::move(seen.views),
                        .slurm_answered = seen.trouble.empty(),
                        .window = window};
  write_prometheus(options.prometheus, prometheus_text(metrics, now));
  monitor::report_trouble(seen.trouble);
  return 0;
}

int list_runs(const PsOptions& options, const Invocation& invocation) {
  const auto [seen, left_out] = look(options, invocation);
  const bool filtered = options.since || !options.name.empty() || !options.states.empty();
  if (invocation.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < seen.views.size(); ++i) list.push_back(run_json(seen.records[i], seen.views[i]));
    fmt::print("{}", json_text({{"runs", list}}));
  } else if (seen.views.empty()) {
    fmt::print(stderr, "rv: no {}{}\n", filtered ? "such runs" : "runs",
               options.all || options.since || !options.states.empty()
                   ? ""
                   : " under way; rv ps -a lists those that are over");
  } else {
    const auto now = current_time();
    fmt::print("{}", run_table(seen.records, seen.views, now, invocation.terminal, options.all || options.since));
    if (left_out > 0) {
      fmt::print(stderr, "rv: {} older {} not shown; --limit 0 shows all, --since and --name choose\n", left_out,
                 left_out == 1 ? "run is" : "runs are");
    }
  }
  monitor::report_trouble(seen.trouble);
  return 0;
}

void add_ps(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<PsOptions>();
  add_flag(command, "-a,--all", options->all, "also the newest 50 runs that are over (--limit 0: all of them)");
  add_value(command, "--since", options->since, duration_value,
            "only runs created within this time, also those that are over: 7d, 12h")
      .type_name("TIME");
  add_values(
      command, "--state",
      [options](const std::string& option, const std::string& text) { add_states(options->states, option, text); },
      "only runs in these states: queued, running, failed, …")
      .type_name("STATE,…");
  add_value(command, "--name", options->name, line_value, "only runs whose names contain this text").type_name("TEXT");
  add_value(command, "--limit", options->limit, count_from(0, 1'000'000), "at most the newest N runs (0: all)")
      .type_name("N");
  add_value(command, "-A,--account", options->account, line_value,
            "show what this account holds, waits for and used in the last 7 days, instead of runs")
      .type_name("NAME");
  add_value(command, "--prometheus", options->prometheus, line_value,
            "write metrics of all runs for node_exporter's textfile collector (-: print them)")
      .type_name("FILE");
  set_footer(
      command,
      "docs/running.md explains the states of a run.\n\n"
      "Examples:\n  rv ps\n  rv ps --since 7d\n  rv ps --state failed,timeout --limit 5\n  rv ps -a --name train "
      "--json\n  rv ps --account lab\n  rv ps --prometheus /var/lib/node_exporter/textfile/rv.prom");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (!options->prometheus.empty()) return write_metrics(*options, invocation);
      return options->account ? show_account(*options, invocation) : list_runs(*options, invocation);
    };
  });
}

}  // namespace

extern const Command ps_command{
    .name = "ps",
    .summary = "List runs that are not over, and with -a others too",
    .group = groups::follow_runs,
    .synonyms = {"list", "ls", "queue"},
    .nearest = {"squeue", "jobs"},
    .add = add_ps,
};

}  // namespace rv::cli
