// rv show: a run's whole story, from its folder.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/walltime.h"
#include "cli/code/code_version.h"
#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/work_order.h"
#include "cli/map/map_view.h"
#include "cli/options/command_option.h"
#include "cli/options/run_argument.h"
#include "cli/options/user_command.h"
#include "cli/use/use_text.h"
#include "cli/views/element_table.h"
#include "cli/views/race_display.h"
#include "cli/views/run_table.h"
#include "cli/waiting/enough_wait.h"
#include "monitor/jobs/start_estimate.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/run_facts.h"
#include "monitor/tasks/task_results.h"
#include "shared/documents/json_dump.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

std::string event_line(const monitor::Event& event, slurm::TimePoint created) {
  std::string line = fmt::format("  +{:<8} {}", format_duration(event.time - created), event.name.text());
  if (event.candidate != 0) line += fmt::format("  candidate {}", event.candidate);
  if (event.job) line += "  job " + slurm::to_string(*event.job);
  for (const auto& [key, value] : event.more.items()) {
    if (key == "lines") continue;  // print_refusals()
    line += "  " + key + "=" + one_line(json_plain(value));
  }
  return line;
}

std::string segment_line(const monitor::Segment& segment, bool runs) {
  std::string line = fmt::format("  {:>3}  job {}{} on {}  {}", segment.number, slurm::to_string(segment.job),
                                 segment.restart > 0 ? fmt::format(" (restart {})", segment.restart) : "",
                                 segment.nodes, local_time(segment.began));
  if (!segment.end) return line + (runs ? "  under way" : "  left no end");
  return line +
         fmt::format("  {}  {}", format_duration(segment.end->time - segment.began), monitor::in_words(*segment.end));
}

/// `goes_on`: the run is not over, so that its last segment may not be either.
void print_chain(const monitor::ChainView& chain, bool goes_on) {
  fmt::print("used     {} of {}{}\n", format_duration(chain.used), format_duration(chain.total),
             chain.used_su ? fmt::format(", {:.1f} SU", *chain.used_su) : "");
  fmt::print("\nsegments\n");
  for (const auto& segment : chain.segments) {
    fmt::print("{}\n", segment_line(segment, goes_on && &segment == &chain.segments.back()));
  }
}

/// The path of `--output`, and which files are missing there.
std::string copy_line(const monitor::RunFolder& folder, const monitor::RunView& view) {
  return folder.file("output") + (view.copy_trouble.empty() ? "" : " (" + view.copy_trouble + ")");
}

/// How many retries there were, and why the last one. Empty: no retry, and none asked for.
std::string retries_line(const monitor::RunRecord& record, const monitor::RunView& view) {
  const auto& asked = record.job.retries;
  const auto& last = view.retry;
  std::string line;
  if (asked) line = fmt::format("{} of {}", last ? last->asked : 0, asked->most);
  if (!last) return line;
  if (last->pause.count() > 0)
    return fmt::format("{}: {}; pause {}", line, one_line(last->why), format_duration(last->pause));
  return fmt::format("{}{}started again: {}", line, line.empty() ? "" : "; ", one_line(last->why));
}

/// All that sbatch printed where it refused, if that is more than the cause.
void print_refusals(const monitor::RunView& view) {
  for (const auto& candidate : view.candidates) {
    if (candidate.journal.refusal_lines.empty()) continue;
    fmt::print("\nsbatch on candidate {}\n", candidate.candidate.number);
    for (const auto& line : candidate.journal.refusal_lines) fmt::print("  {}\n", one_line(line));
  }
}

/// For an array, only the files of the whole run: the table shows its elements.
void print_events(const monitor::RunFolder& folder, const monitor::RunRecord& record) {
  fmt::print("\nevents\n");
  for (const auto& event : folder.events()) {
    if (record.job.array && event.more.contains("element")) continue;
    fmt::print("{}\n", event_line(event, record.created));
  }
}

/// Nothing for a run that is not one of rv map.
std::optional<std::vector<monitor::TaskResult>> task_results(const monitor::KnownRun& run,
                                                             const monitor::RunView& view) {
  auto list = monitor::read_task_list(run.folder.path());
  if (!list) return std::nullopt;
  monitor::TaskReader reader(run.folder.path(), *std::move(list));
  reader.read();
  return reader.results(monitor::is_final(view.state));
}

void print_story(const monitor::KnownRun& run, const monitor::RunView& view, const std::optional<PastUse>& past,
                 const os::Terminal& terminal) {
  const bool colour = terminal.colour;
  const auto& record = run.record;
  fmt::print("run      {}  {}\n", record.id, one_line(record.name));
  fmt::print("state    {}{}\n", coloured(to_string(view.state), tone_of(view.state), colour),
             view.detail.empty() ? "" : ": " + one_line(view.detail));
  fmt::print("command  {}\n", record.job.hold ? "(holds the GPUs)" : quote_all(record.job.typed));
  if (!record.job.argv.empty() && record.job.argv != command_argv(record.job.typed)) {
    fmt::print("runs     {}\n", one_line(shown_command(record.job.argv)));
  }
  if (record.job.environment)
    fmt::print("uses     {} ({})\n", record.job.environment->prefix, one_line(record.job.environment->from));
  if (const auto& inside = record.job.inside)
    fmt::print("inside   run {}, as a step of job {}\n", inside->run, inside->job);
  fmt::print("from     {} on {}, {}\n", record.work_folder, record.host, local_time(record.created));
  if (const auto code = written_code_version(run.folder.path() + "/")) {
    fmt::print("code     {}{}\n", in_words(*code),
               code->changed > 0 ? fmt::format(" (rv show --diff {})", record.id) : "");
  }
  const auto now = current_time();
  if (const auto start = monitor::estimate_start(view, record.created, now)) {
    fmt::print("start    {}, {}\n", monitor::in_words(*start, now), local_time(start->time));
  }
  if (view.winner) fmt::print("nodes    {}\n", view.nodes);
  if (view.started) {
    fmt::print("started  {}{}\n", local_time(*view.started),
               view.ended
                   ? ", ended " + local_time(*view.ended) + " after " + format_duration(*view.ended - *view.started)
                   : "");
  }
  if (const auto limit = monitor::time_limit_of(view)) {
    const auto end = monitor::ends_by(view);
    fmt::print("limit    {}{}\n", format_duration(*limit),
               end ? fmt::format(", until {}, {} left", local_time(*end),
                                 format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(*end - now))))
                   : "");
  }
  if (const auto results = task_results(run, view)) fmt::print("tasks    {}\n", monitor::summary_of(*results));
  if (view.preflight) fmt::print("tested   preflight {}\n", monitor::in_words(*view.preflight));
  if (const auto line = retries_line(record, view); !line.empty()) fmt::print("retries  {}\n", line);
  if (past) {
    for (const auto& [word, line] : use_lines(past->use, past->enough)) fmt::print("{:<8} {}\n", word, line);
  }
  fmt::print("folder   {}\n", run.folder.path());
  if (view.output_copy) fmt::print("output   {}\n", copy_line(run.folder, view));
  for (const auto& warning : view.warnings) fmt::print("{}  {}\n", coloured("warning", Tone::bad, colour), warning);
  if (view.chain) print_chain(*view.chain, !monitor::is_final(view.state));
  fmt::print("\ncandidates\n");
  for (const auto& line : candidate_lines(view)) fmt::print("  {}\n", line);
  print_refusals(view);
  if (monitor::is_final(view.state) && view.state != monitor::RunState::done) {
    fmt::print("\nrv why {} names the cause\n", record.id);
  }
  if (view.array) fmt::print("\n{}", element_table(view, now, terminal));
  print_events(run.folder, record);
}

nlohmann::ordered_json code_json(const std::string& folder) {
  const auto code = written_code_version(folder + "/");
  return code ? parse_json<nlohmann::ordered_json>(to_record(*code), "a run's code") : nlohmann::ordered_json();
}

int print_diff(const monitor::KnownRun& run) {
  const auto prefix = run.folder.path() + "/";
  const auto code = written_code_version(prefix);
  if (!code) {
    throw Error(fmt::format("run {} has no record of its code", run.record.id),
                "rv records it for a command that is started in a git work tree", ExitCode::usage);
  }
  const auto diff = written_diff(prefix);
  if (diff) fmt::print("{}", *diff);
  if (code->whole_diff) return 0;
  throw Error(diff ? "the diff is longer than 1 MiB; this is its beginning" : "the diff is not on record",
              fmt::format("the commit was {}, the working folder {}", code->commit, run.record.work_folder));
}

nlohmann::ordered_json story_json(const monitor::KnownRun& run, const monitor::RunView& view,
                                  const std::optional<PastUse>& past) {
  auto json = run_json(run.record, view);
  json["use"] = past ? use_json(past->use, past->enough) : nlohmann::ordered_json();
  const auto results = task_results(run, view);
  json["tasks"] = results ? counts_json(monitor::count_states(*results)) : nlohmann::ordered_json();
  json["code"] = code_json(run.folder.path());
  json["run_folder"] = run.folder.path();
  json["events"] = nlohmann::ordered_json::array();
  for (const auto& event : run.folder.events()) {
    json["events"].push_back(parse_json<nlohmann::ordered_json>(monitor::to_line(event), "an event"));
  }
  return json;
}

void add_show(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto word = add_run_argument(command, "ID, name, or unique beginning of an ID (default: the newest run)");
  const auto diff = std::make_shared<bool>(false);
  add_flag(command, "--diff", *diff, "print how the code differed from its git commit when the run was started");
  set_footer(command, "Examples:\n  rv show\n  rv show k3f9x2 --json\n  rv show k3f9x2 --diff");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::runs_in(invocation.settings.runs_folder());
      const auto run = named_or_latest(runs, *word);
      if (*diff) return print_diff(run);
      const auto seen = monitor::poll_runs({run});
      const auto& view = seen.views.front();
      const auto past = past_use(run, view, invocation);
      if (invocation.json) {
        fmt::print("{}", json_text(story_json(run, view, past)));
      } else {
        print_story(run, view, past, invocation.terminal);
      }
      monitor::report_trouble(seen.trouble);
      return 0;
    };
  });
}

}  // namespace

extern const Command show_command{
    .name = "show",
    .summary = "Show everything about a run",
    .group = groups::follow_runs,
    .nearest = {"inspect", "describe"},
    .add = add_show,
};

}  // namespace rv::cli
