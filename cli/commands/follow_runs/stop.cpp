// rv stop: end runs.

#include "monitor/race/stop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/host_name.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/array_option.h"
#include "cli/options/command_option.h"
#include "cli/setup/ask.h"
#include "monitor/jobs/lookup.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/elements.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {
namespace {

std::string in_words(const monitor::StopResult& stopped) {
  if (stopped.already_over && stopped.cancelled.empty() && stopped.trouble.empty()) return "was over already";
  if (stopped.already_over && !stopped.trouble.empty()) {
    return "was already over; Slurm did not report whether a job of it is left (" + stopped.trouble + ")";
  }
  if (stopped.already_over && stopped.was_copying) return "had ended; the copy of its output is cancelled";
  if (stopped.already_over) {
    return "was over already; " + counted(static_cast<long long>(stopped.cancelled.size()), "job") +
           " that it had left in the queue " + (stopped.cancelled.size() == 1 ? "is" : "are") + " cancelled";
  }
  if (!stopped.trouble.empty()) {
    return stopped.had_started ? "is still running: Slurm did not answer (" + stopped.trouble + ")"
                               : "will not start; its queued jobs remain until Slurm answers (" + stopped.trouble + ")";
  }
  if (!stopped.unrecorded.empty()) {
    return "is cancelled, but the stop could not be recorded (" + stopped.unrecorded + ")";
  }
  if (stopped.had_started) return "stopped";
  return stopped.ran_before ? "stopped before it was started again" : "stopped before it started";
}

nlohmann::ordered_json to_json(const monitor::RunRecord& record, const monitor::StopResult& stopped) {
  nlohmann::ordered_json json;
  json["id"] = record.id;
  json["name"] = record.name;
  json["already_over"] = stopped.already_over;
  json["had_started"] = stopped.had_started;
  json["ran_before"] = stopped.ran_before;
  json["cancelled_jobs"] = nlohmann::ordered_json::array();
  for (const auto& job : stopped.cancelled) json["cancelled_jobs"].push_back(job.id.number);
  json["unrecorded"] =
      stopped.unrecorded.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(stopped.unrecorded);
  json["trouble"] = stopped.trouble.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(stopped.trouble);
  return json;
}

std::string in_words(const monitor::StopElementsResult& stopped) {
  std::string words;
  const auto add = [&](const std::vector<int>& indices, const std::string& what) {
    if (indices.empty()) return;
    words += (words.empty() ? "" : "; ") + monitor::elements_in_words(indices) + " " + what;
  };
  const bool queued = !stopped.trouble.empty();
  add(stopped.running, queued ? "perhaps still running: not cancelled (" + stopped.trouble + ")" : "stopped");
  add(stopped.before_start, "stopped before the start");
  add(stopped.already_over, stopped.already_over.size() == 1 ? "was over already" : "were over already");
  return words;
}

/// Ends some elements of an array. Returns the exit code.
int stop_some(const monitor::KnownRun& run, const std::vector<int>& elements, bool json) {
  check_elements(run.record, elements);
  slurm::Gateway gateway;
  const auto stopped = monitor::stop_elements(run.folder, elements, gateway, os::host_name());
  if (json) {
    nlohmann::ordered_json one;
    one["id"] = run.record.id;
    one["name"] = run.record.name;
    one["running"] = stopped.running;
    one["before_start"] = stopped.before_start;
    one["already_over"] = stopped.already_over;
    one["trouble"] = stopped.trouble.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(stopped.trouble);
    fmt::print("{}", json_text({{"stopped_elements", one}}));
  } else {
    fmt::print("{} {}\n", run.record.id, in_words(stopped));
  }
  return stopped.trouble.empty() ? 0 : static_cast<int>(ExitCode::slurm);
}

bool has_live_job(const std::map<std::string, monitor::QueueView>& queues, const std::string& run) {
  const auto queue = queues.find(run);
  return queue != queues.end() &&
         std::any_of(queue->second.rows.begin(), queue->second.rows.end(), [](const auto& row) {
           const auto phase = monitor::status_of(row).phase;
           return phase != monitor::Phase::ended && phase != monitor::Phase::completing &&
                  phase != monitor::Phase::unknown;
         });
}

std::vector<monitor::KnownRun> chosen(const std::vector<monitor::ListedRun>& runs,
                                      const std::vector<std::string>& words, bool all, bool json) {
  std::vector<monitor::KnownRun> picked;
  if (all) {
    const auto open = monitor::open_runs(runs);
    const auto seen = monitor::poll_runs(open);
    // Also ended runs that still have a job in the queue.
    slurm::Gateway gateway;
    const auto left = by_run(monitor::Lookup(gateway).query());
    for (const auto& run : runs) {
      const auto at =
          std::find_if(open.begin(), open.end(), [&](const auto& one) { return one.record.id == run.id(); });
      const bool under_way =
          at != open.end() && !monitor::is_final(seen.views[static_cast<std::size_t>(at - open.begin())].state);
      if (under_way || has_live_job(left, run.id())) picked.push_back(monitor::read_run(run));
    }
    return picked;
  }
  // All arguments are resolved before any run is stopped: a typing error must not stop half of them.
  for (const auto& word : words) picked.push_back(monitor::resolve_certain_run(runs, word));
  if (json) return picked;  // the document names them
  for (std::size_t i = 0; i < words.size(); ++i) monitor::say_what_was_taken(words[i], picked[i].record);
  return picked;
}

/// --all on a terminal ends runs only after a question.
void confirm_all(const std::vector<monitor::KnownRun>& runs, bool agreed, const Invocation& invocation) {
  if (runs.empty() || invocation.json || invocation.hop) return;
  std::string list;
  for (const auto& run : runs) list += (list.empty() ? "" : ", ") + run.record.id + " " + one_line(run.record.name);
  const auto question = fmt::format("Stop {} ({})", counted(static_cast<long long>(runs.size()), "run"), list);
  if (agree(question, agreed, invocation.terminal)) return;
  throw Error("nothing was stopped",
              "rv stop RUN stops one run; rv stop --all --yes stops all and does not ask for confirmation",
              ExitCode::usage);
}

void add_stop(CLI::App& command, const Invocation& invocation, Action& action) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto all = std::make_shared<bool>(false);
  add_option(command, "run", *words, "IDs, names, or unique beginnings of IDs of runs under way");
  add_flag(command, "-a,--all", *all, "every run that is not over");
  auto yes = std::make_shared<bool>(false);
  add_flag(command, "-y,--yes", *yes, "with --all: don't ask for confirmation");
  auto elements = std::make_shared<Elements>();
  add_element_option(command, *elements, "stop only these elements of an array").excludes("--all");
  set_footer(command, "Examples:\n  rv stop k3f9x2\n  rv stop train\n  rv stop sweep --element 3,7-9\n  rv stop --all");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (words->empty() && !*all) {
        throw Error("rv stop needs a run", "name one (rv ps lists them), or write rv stop --all", ExitCode::usage);
      }
      if (!words->empty() && *all) {
        throw Error("rv stop takes names or --all, not both", "remove one of them", ExitCode::usage);
      }
      if (*elements && words->size() > 1) {
        throw Error("--element needs one run", "name only the array: rv stop RUN --element 3", ExitCode::usage);
      }
      slurm::Gateway gateway;
      bool trouble = false;
      auto list = nlohmann::ordered_json::array();
      const auto runs = chosen(monitor::runs_in(invocation.settings.runs_folder()), *words, *all, invocation.json);
      const auto some = *elements || words->size() != 1 ? *elements : element_of_job(words->front(), runs[0].record);
      if (some) return stop_some(runs[0], *some, invocation.json);
      if (*all) confirm_all(runs, *yes, invocation);
      if (runs.empty() && !invocation.json) fmt::print("nothing to stop\n");
      for (const auto& run : runs) {
        const auto stopped = monitor::stop_run(run.folder, gateway, os::host_name());
        trouble = trouble || !stopped.trouble.empty();
        if (invocation.json) {
          list.push_back(to_json(run.record, stopped));
        } else {
          fmt::print("{} {}\n", run.record.id, in_words(stopped));
        }
      }
      if (invocation.json) fmt::print("{}", json_text({{"stopped", list}}));
      return trouble ? static_cast<int>(ExitCode::slurm) : 0;
    };
  });
}

}  // namespace

extern const Command stop_command{
    .name = "stop",
    .summary = "End runs and release their GPUs",
    .group = groups::follow_runs,
    .synonyms = {"cancel", "kill"},
    .nearest = {"scancel", "down", "rm"},
    .add = add_stop,
};

}  // namespace rv::cli
