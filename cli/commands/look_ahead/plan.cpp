#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/look_ahead/log_accuracy.h"
#include "cli/json/values_json.h"
#include "cli/launch/preview.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
#include "cli/options/user_command.h"
#include "cli/views/accuracy_view.h"
#include "cli/views/plan_view.h"
#include "monitor/jobs/observed_wait.h"
#include "planner/cluster/budget.h"
#include "planner/explain.h"

namespace rv::cli {

namespace {

nlohmann::ordered_json document_of(const Preview& preview) {
  auto document = preview_json(preview);
  if (const auto balance = balance_after(preview)) add_balance(document, *balance);
  return document;
}

/// The budgets of the account and QOS that remain for the first strategy.
std::vector<std::string> budgets_of(const Preview& preview) {
  const auto& planned = preview.planned;
  if (planned.plan.strategies.empty()) return {};
  return planner::budgets_in_words(planned.cluster, planned.plan.strategies.front());
}

/// The plan of rv run for the same arguments; without arguments, the plan to hold the GPUs.
int show_plan(const std::shared_ptr<LaunchOptions>& typed, const std::vector<std::string>& given, bool explained,
              const Invocation& invocation) {
  const auto all = with_batch(typed, add_options_of_run, given, {.command = "plan"}, invocation);
  const LaunchOptions& options = *all;
  auto order = order_for(options, invocation.user_command, invocation);
  order.job.joined_output = joins_output(options, /*streamed=*/false, invocation.terminal);
  auto preview = preview_of(options, order, invocation, needs_of(options, order, invocation));
  say_launcher_note(preview);
  if (typed->request->probe) probe(preview);
  add_what_ifs(preview);
  const auto reasons = explained
                           ? planner::reasons_for_order(preview.planned.plan, preview.planned.forecast_inputs.goal)
                           : std::vector<std::string>();
  if (invocation.json) {
    auto document = document_of(preview);
    if (const auto budgets = budgets_of(preview); !budgets.empty()) document["budgets"] = budgets;
    if (explained) document["explanation"] = {{"why", reasons}, {"sooner", sooner_in_words(preview)}};
    fmt::print("{}", json_text(document));
  } else {
    print_preview(preview);
    for (const std::string& line : budgets_of(preview)) fmt::print("Budget: {}\n", one_line(line));
    if (!reasons.empty()) fmt::print("\n{}", sentences_text("Why this order:", reasons, invocation.terminal));
  }
  return static_cast<int>(preview.planned.plan.strategies.empty() ? ExitCode::no_strategy : ExitCode::ok);
}

int show_accuracy(const Invocation& invocation) {
  const auto lines = os::read_file(monitor::waits_file(invocation.settings.home));
  const auto observed = monitor::parse_observed_waits(lines.value_or(""));
  if (invocation.json) {
    fmt::print("{}", json_text(accuracy_json(observed)));
  } else {
    fmt::print("{}", accuracy_text(observed));
  }
  return static_cast<int>(ExitCode::ok);
}

/// Throws Error(usage) for options of a log without the log.
void check_log_options(const CLI::App& command, bool accuracy) {
  const bool from = given(command, "--from");
  for (const char* option : {"--warm-up", "--submissions"}) {
    if (given(command, option) && !from) {
      throw Error(fmt::format("{} needs --from", option), "add --accuracy --from FILE, a log of finished jobs",
                  ExitCode::usage);
    }
  }
  if (from && !accuracy)
    throw Error("--from needs --accuracy", "write rv plan --accuracy --from FILE", ExitCode::usage);
}

/// A log and a saved cluster are files of this machine.
bool reads_local_file(const CLI::App& called) {
  return on_saved_cluster(called) || given(called, "--from");
}

void add_plan(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_options_of_run(command);
  const auto explained = std::make_shared<bool>(false);
  add_flag(command, "--explain", *explained, "explain why the first strategy is first").group("GPUs");
  add_probe_option(command, *options->request);
  const auto accuracy = std::make_shared<bool>(false);
  add_flag(command, "--accuracy", *accuracy, "compare the waits predicted for your runs with the real ones");
  const auto log = std::make_shared<LogAccuracyOptions>();
  add_log_accuracy_options(command, *log);
  add_user_command(command, "the command to plan for, which is not run; without it, the plan is for rv up", false);
  set_footer(command,
             "Examples:\n"
             "  rv plan --gpu 4 --time 30m\n"
             "  rv plan -g 2 -t a100,h200 --vram 80G\n"
             "  rv plan -g 4 --probe                           also ask the controller\n"
             "  rv plan -g 4 --checkpoint --time 2d python train.py\n"
             "  rv plan -g 8 --cluster saved.json --json\n"
             "  rv plan --accuracy --from jobs.txt             score waits on a log of sacct");
  set_callback(command, [&command, &invocation, &action, options, explained, accuracy, log] {
    action = [&command, &invocation, options, explained, accuracy, log] {
      check_log_options(command, *accuracy);
      if (!log->file.empty()) return show_log_accuracy(*log, *options->request, invocation);
      if (*accuracy) return show_accuracy(invocation);
      return show_plan(options, options_given(command, {"--explain", "--probe", "--accuracy"}), *explained, invocation);
    };
  });
}

}  // namespace

extern const Command plan_command{
    .name = "plan",
    .summary = "List the ways to get GPUs, best first, with waits and costs",
    .group = groups::look_ahead,
    .common = {"gpu", "type", "time", "vram", "nodes", "single-node", "partition", "account", "explain", "goal",
               "checkpoint", "cluster", "probe", "accuracy"},
    .stays_here = reads_local_file,
    .add = add_plan,
};

}  // namespace rv::cli
