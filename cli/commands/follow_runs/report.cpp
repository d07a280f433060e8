// rv report: a run's whole story as one page.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "base/os/user_name.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/run_argument.h"
#include "cli/report/run_page.h"
#include "cli/waiting/enough_wait.h"
#include "monitor/diagnosis/element_causes.h"
#include "monitor/diagnosis/gather_evidence.h"
#include "monitor/race/watch_runs.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

struct ReportOptions {
  RunArgument run;
  std::string file;
};

/// From the snapshot on which the run was planned.
std::string slurm_release(const monitor::RunFolder& folder) {
  const auto text = os::read_file(folder.file("cluster.json"));
  const auto json = parse_json_or_discard<nlohmann::json>(text.value_or(""));
  return member_text(member_of(json, "controller"), "version");
}

/// GPU readings of the jobs themselves and of clients that polled the run.
std::vector<KeptReadings> gpu_looks(const monitor::RunFolder& folder) {
  auto looks = parse_kept_readings(os::read_file(folder.file(kept_readings_file)).value_or(""));
  for (const auto& name : os::names_in(folder.file("jobs"))) {
    if (!name.ends_with(".gpus")) continue;
    auto own = parse_job_readings(os::read_file(folder.file("jobs/" + name)).value_or(""));
    looks.insert(looks.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  std::stable_sort(looks.begin(), looks.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return looks;
}

/// The results of rv-train (--results) anywhere in the run's output; only the first of very many.
std::vector<std::pair<std::string, std::string>> results_in(const monitor::RunFolder& folder) {
  namespace fs = std::filesystem;
  constexpr std::size_t most = 8, most_looked_at = 10'000;
  std::vector<std::pair<std::string, std::string>> found;
  std::error_code fault;
  std::size_t looked_at = 0;
  const auto output = folder.file("output");
  for (fs::recursive_directory_iterator it(output, fault), end; !fault && it != end; it.increment(fault)) {
    if (++looked_at > most_looked_at || found.size() >= most) break;
    if (it->path().filename() != "results.json") continue;
    if (auto text = os::read_file(it->path())) {
      found.emplace_back("output/" + it->path().lexically_relative(output).string(), std::move(*text));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A diagnosis reads the logs of failed elements only.
void add_elements_that_went_well(std::vector<monitor::LogTail>& logs, const monitor::RunFolder& folder,
                                 const monitor::RunView& view) {
  constexpr std::size_t most_logs = 128;
  if (!view.array) return;
  for (const auto& element : view.array->elements) {
    const bool there = std::any_of(logs.begin(), logs.end(),
                                   [&](const auto& log) { return monitor::element_of_log(log.file) == element.index; });
    if (there) continue;
    for (auto& log : monitor::element_logs(folder, element.index, "")) {
      if (logs.size() < most_logs) logs.push_back(std::move(log));
    }
  }
}

RunStory story_of(const monitor::KnownRun& run, const monitor::RunView& view, const Invocation& invocation) {
  slurm::Gateway gateway;
  auto evidence = gather_evidence(run.folder, view, gateway);
  RunStory story;
  story.view = view;
  story.diagnosis = diagnose(evidence);
  story.facts = std::move(evidence.facts);
  story.logs = std::move(evidence.logs);
  if (story.logs.empty()) story.logs = read_log_tails(run.folder, view);
  add_elements_that_went_well(story.logs, run.folder, view);
  story.events = run.folder.events();
  story.gpus = gpu_looks(run.folder);
  story.results = results_in(run.folder);
  story.now = current_time();
  story.cost = cost_of(view, story.now);
  story.folder = run.folder.path();
  story.slurm = slurm_release(run.folder);
  story.who = os::effective_user_name();
  if (auto past = past_use(run, view, invocation)) {
    story.use = std::move(past->use);
    story.enough = past->enough;
  }
  return story;
}

void write_page(const std::string& file, const std::string& page) {
  try {
    os::write_file(file, page, 0644);
  } catch (const Error& fault) {
    throw Error(fault.what(), "name another file: rv report RUN -o FILE", ExitCode::usage);
  }
}

int write_report(const ReportOptions& options, const Invocation& invocation) {
  const auto runs = monitor::runs_in(invocation.settings.runs_folder());
  const auto run = named_or_latest(runs, *options.run);
  const auto seen = monitor::poll_runs({run});
  const auto page = run_page(story_of(run, seen.views.front(), invocation));
  const bool to_stdout = options.file == "-";
  if (to_stdout && invocation.json) {
    throw Error("-o - and --json can't be combined", "give -o a file", ExitCode::usage);
  }
  const auto file = options.file.empty() ? fmt::format("rv-{}.html", run.record.id) : options.file;
  if (to_stdout) {
    fmt::print("{}", page);
  } else {
    write_page(file, page);
    if (invocation.json) {
      fmt::print("{}", json_text({{"run", run.record.id}, {"page", file}, {"bytes", page.size()}}));
    } else {
      fmt::print("{}\n", file);
    }
    if (invocation.hop) {
      fmt::print(stderr, "rv: the page is on the login node; rv report {} -o - >FILE writes it here\n", run.record.id);
    }
  }
  monitor::report_trouble(seen.trouble);
  return 0;
}

void add_report(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  options->run = add_run_argument(command, "ID, name, or unique beginning of an ID (default: the newest run)");
  add_option(command, "-o,--output", options->file, "file of the page, - for stdout (default: rv-ID.html)")
      .type_name("FILE");
  set_footer(command,
             "One file that loads nothing else, with the cause, waits, GPUs, segments and the ends of the logs.\n"
             "\n"
             "Examples:\n  rv report\n  rv report train -o train.html\n  rv report k3f9x2 -o - >page.html");
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return write_report(*options, invocation); }; });
}

}  // namespace

extern const Command report_command{
    .name = "report",
    .summary = "Write an HTML report of a run",
    .group = groups::follow_runs,
    .add = add_report,
};

}  // namespace rv::cli
