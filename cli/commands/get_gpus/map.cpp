// rv map: one command for each of many values, packed on the GPUs of one run.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/commands/get_gpus/run_options.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/map/map_run.h"
#include "cli/map/map_view.h"
#include "cli/map/task_source.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
#include "cli/options/user_command.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

/// The options that belong to one call.
struct CallOptions {
  std::string file;     // --arg-file
  std::string resume;   // --resume
  std::string results;  // --results
  bool failed = false;
};

const std::vector<std::string> own_options = {"--arg-file", "--resume", "--results", "--failed"};

int print_results(const std::string& word, const Invocation& invocation) {
  const auto run = monitor::resolve_run(monitor::runs_in(invocation.settings.runs_folder()), word);
  const auto list = monitor::read_task_list(run.folder.path());
  if (!list) {
    throw Error(fmt::format("run {} is not a run of rv map", run.record.id),
                fmt::format("rv show {} shows it", run.record.id), ExitCode::usage);
  }
  monitor::TaskReader reader(run.folder.path(), *list);
  reader.read();
  const auto results = reader.results(run.over || monitor::is_final(monitor::poll_runs({run}).views.front().state));
  if (invocation.json) {
    fmt::print("{}", json_text(results_json(run.record.id, *list, results)));
  } else {
    fmt::print("{}", task_table(*list, results, invocation.terminal));
    fmt::print(stderr, "rv: {}\n", monitor::summary_of(results));
  }
  return 0;
}

int resume(const CallOptions& call, const CLI::App& command, const Invocation& invocation) {
  if (!call.file.empty() || !invocation.user_command.empty()) {
    throw Error("--resume takes the command and the tasks from the earlier run; they can't be given",
                "remove the command, the tasks and --arg-file", ExitCode::usage);
  }
  const auto runs = monitor::runs_in(invocation.settings.runs_folder());
  const auto run = monitor::resolve_certain_run(runs, last_of_name(runs, call.resume));
  monitor::say_what_was_taken(call.resume, run.record);
  auto order = resumed_order(run, call.failed);
  enter_folder_of(run.record);
  const auto arguments = merged_options(order.list.options, command, own_options);
  order.list.options = repeatable(arguments);
  std::shared_ptr<MapOptions> options;
  parse_options(arguments, [&](CLI::App& app) { options = add_map_options(app); });
  return start_map(*options, std::move(order), invocation);
}

int map(MapOptions& options, const CallOptions& call, const CLI::App& command, const Invocation& invocation) {
  if (call.failed && call.resume.empty()) {
    throw Error("--failed needs --resume", "write rv map --resume RUN --failed", ExitCode::usage);
  }
  if (!call.results.empty()) return print_results(call.results, invocation);
  if (!call.resume.empty()) return resume(call, command, invocation);
  auto tasks = read_task_source(invocation.user_command, call.file);
  MapOrder order{.typed = std::move(tasks.command), .list = {}, .earlier = {}, .resumed_folder = {}};
  order.list.values = std::move(tasks.values);
  order.list.numbers.reserve(order.list.values.size());
  for (int task = 1; task <= order.list.count(); ++task) order.list.numbers.push_back(task);
  order.list.options = repeatable(options_given(command, own_options));
  return start_map(options, std::move(order), invocation);
}

bool starts(const CLI::App& called) {
  return !given(called, "--dry-run") && !given(called, "--no-sync") && !given(called, "--results") &&
         !given(called, "--resume");
}

bool follows(const CLI::App& called) {
  return given(called, "--follow");
}

void check_sent(const CLI::App& called, const Invocation& invocation) {
  if (given(called, "--results") || given(called, "--resume")) return;
  const auto files = given_texts(called, "--arg-file");
  check_sent_tasks(invocation.user_command, files.empty() ? "" : files.back());
}

int follow_tasks_again(const CLI::App& /*called*/, const Invocation& invocation) {
  return follow_map(resumed_run(invocation), invocation);
}

void add_map(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_map_options(command);
  auto call = std::make_shared<CallOptions>();
  add_option(command, "-a,--arg-file", call->file, "read the tasks from a file, one per line; -: from stdin")
      .type_name("FILE");
  add_option(command, "--resume", call->resume, "run the tasks of this run that were not started or were interrupted")
      .type_name("RUN");
  add_flag(command, "--failed", call->failed, "with --resume: also the tasks that failed");
  add_option(command, "--results", call->results, "list the tasks of this run and how they ended").type_name("RUN");
  add_user_command(command, "the command, then ::: and a value for each task; {} is the value, {#} the task's number",
                   /*required=*/false);
  set_footer(command,
             "Each task is started without a shell, on GPUs of its own (CUDA_VISIBLE_DEVICES), with RV_TASK\n"
             "and RV_TASKS. A line of FILE is a value; {name} is a member of a line that is a JSON object.\n"
             "Exit codes: 0 if every task exited with 0, 1 if a task did not.\n"
             "\n"
             "Examples:\n"
             "  rv map -g 4 --time 1h -- python fit.py {} ::: a.csv b.csv c.csv\n"
             "  rv map -g 4 --per-gpu 2 -a files.txt -f -- ./score --in {} --out out/{#}.json\n"
             "  rv map -g 2 -a runs.jsonl -- python train.py --lr {lr} --seed {seed}\n"
             "  find . -name '*.png' | rv map -g 0 --cpus 16 --name resize -- ./resize {}\n"
             "  rv map --results k3f9x2\n"
             "  rv map --resume k3f9x2 --failed");
  set_callback(command, [=, &command, &invocation, &action] {
    action = [=, &command, &invocation] { return map(*options, *call, command, invocation); };
  });
}

}  // namespace

extern const Command map_command{
    .name = "map",
    .summary = "Run a command for each of many values, packed on GPUs",
    .group = groups::get_gpus,
    .common = {"gpu", "type", "time", "follow", "name", "per-gpu", "gpus-per-task", "cpus-per-task", "retries",
               "arg-file", "resume", "failed", "results", "dry-run"},
    .nearest = {"parallel", "xargs", "foreach"},
    .stays_here = on_saved_cluster,
    .needs_files = starts,
    .follows = follows,
    .check_sent = check_sent,
    .resume = follow_tasks_again,
    .when_lost = run_continues,
    .add = add_map,
};

}  // namespace rv::cli
