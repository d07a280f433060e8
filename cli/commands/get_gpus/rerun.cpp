// rv rerun: a run's command again, with its options and new ones.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/commands/commands.h"
#include "cli/commands/get_gpus/run_options.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
#include "cli/options/run_argument.h"
#include "cli/options/user_command.h"
#include "cli/recipe/recipe.h"
#include "monitor/run/run_facts.h"

namespace rv::cli {
namespace {

std::vector<std::string> recorded_options(const monitor::KnownRun& run) {
  const auto path = run.folder.file(options_file);
  const auto text = os::read_file(path);
  if (!text || run.record.job.hold || run.record.job.typed.empty()) {
    throw Error(
        fmt::format("run {} has no options on record: it was started by another command, or by an older version of rv",
                    run.record.id),
        "start it with rv run", ExitCode::usage);
  }
  try {
    return parse_json<nlohmann::json>(*text, path).at("options").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    throw Error(path + " is damaged", "start the command with rv run", ExitCode::usage);
  }
}

/// "3,8,13%4": the elements that failed, and once the run is over those without a record of their end.
std::string failed_elements(const monitor::KnownRun& run) {
  const auto& array = run.record.job.array;
  if (!array) {
    throw Error(fmt::format("--failed: run {} is not an array", run.record.id),
                fmt::format("rv rerun {} runs the whole command again", run.record.id), ExitCode::usage);
  }
  const auto facts = monitor::read_facts(run.folder);
  const auto failed = monitor::unsuccessful_indices(facts.elements, array->elements, facts.outcome.has_value());
  if (failed.empty()) {
    throw Error(fmt::format("no element of run {} has failed", run.record.id),
                fmt::format("rv rerun {} runs all of them again", run.record.id), ExitCode::usage);
  }
  return fmt::format("{}{}", fmt::join(failed, ","), array->at_once > 0 ? fmt::format("%{}", array->at_once) : "");
}

int rerun(const monitor::KnownRun& run, bool only_failed, const CLI::App& command, const Invocation& invocation) {
  const std::vector<std::string> own = {"--failed"};
  auto earlier = recorded_options(run);
  if (only_failed) {
    std::erase_if(earlier, [](const auto& one) { return one.starts_with("--array="); });
    earlier.push_back("--array=" + failed_elements(run));
  }
  auto again = invocation;
  again.user_command = run.record.job.typed;
  again.as_typed = run.record.job.argv == command_argv(run.record.job.typed);
  enter_folder_of(run.record);
  std::optional<RunOptions> options;
  const auto arguments = merged_options(earlier, command, own);
  parse_options(arguments, [&](CLI::App& app) { options = add_run_options(app); });
  return run_words(*options, arguments, again);
}

bool follows(const CLI::App& called) {
  return given(called, "--follow");
}

void add_rerun(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_run_options(command);  // alive while the command is: its options write there
  remove_defaults(command, call_options());
  const auto word = add_run_argument(command, "ID, name, or unique beginning of an ID (default: the newest run)");
  auto only_failed = std::make_shared<bool>(false);
  add_flag(command, "--failed", *only_failed, "run only the elements of an array that did not succeed");
  set_footer(command,
             "Runs the same command in the same folder with the same options. An option that you give replaces\n"
             "the earlier one. --after is not repeated.\n\n"
             "Examples:\n  rv rerun\n  rv rerun train -t a40 --time 4h\n  rv rerun sweep --failed --mem 160G -f");
  set_callback(command, [=, &command, &invocation, &action] {
    action = [=, &command, &invocation, alive = options] {
      const auto runs = monitor::runs_in(invocation.settings.runs_folder());
      return rerun(named_or_latest(runs, *word), *only_failed, command, invocation);
    };
  });
}

}  // namespace

extern const Command rerun_command{
    .name = "rerun",
    .summary = "Run the command of a run again; options not given are those of that run",
    .group = groups::get_gpus,
    .common = {"failed", "gpu", "type", "time", "mem", "follow", "name", "nodes", "account", "partition", "dry-run"},
    .nearest = {"restart", "resubmit", "requeue"},
    .instead = "rv rerun RUN repeats the command that the run had: give one run and no command",
    .follows = follows,
    .resume = follow_run_again,
    .when_lost = run_continues,
    .add = add_rerun,
};

}  // namespace rv::cli
