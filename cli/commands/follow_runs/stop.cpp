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
#include "cli/options/command_option.h"
#include "monitor/jobs/lookup.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {
namespace {

std::string in_words(const monitor::Stopped& stopped) {
  if (stopped.already_over && stopped.cancelled.empty() && stopped.trouble.empty()) return "was over already";
  if (stopped.already_over && !stopped.trouble.empty()) {
    return "was over already; Slurm did not say whether a job of it is left (" + stopped.trouble + ")";
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
  return stopped.had_started ? "stopped" : "stopped before it started";
}

nlohmann::ordered_json to_json(const monitor::RunRecord& record, const monitor::Stopped& stopped) {
  nlohmann::ordered_json json;
  json["id"] = record.id;
  json["name"] = record.name;
  json["already_over"] = stopped.already_over;
  json["had_started"] = stopped.had_started;
  json["cancelled_jobs"] = nlohmann::ordered_json::array();
  for (const auto& job : stopped.cancelled) json["cancelled_jobs"].push_back(job.id.number);
  json["unrecorded"] =
      stopped.unrecorded.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(stopped.unrecorded);
  json["trouble"] = stopped.trouble.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(stopped.trouble);
  return json;
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

std::vector<monitor::KnownRun> chosen(const std::vector<monitor::KnownRun>& runs, const std::vector<std::string>& words,
                                      bool all) {
  std::vector<monitor::KnownRun> picked;
  if (all) {
    // Of those that are over the ones with a job left in the queue, too.
    slurm::Gateway gateway;
    const auto left = by_run(monitor::Lookup(gateway).look());
    for (const auto& run : runs) {
      if (!run.over || has_live_job(left, run.record.id)) picked.push_back(run);
    }
    return picked;
  }
  // All words are resolved before anything is stopped: a slip in one must not stop half of them.
  for (const auto& word : words) picked.push_back(monitor::resolve_certain_run(runs, word));
  for (std::size_t i = 0; i < words.size(); ++i) monitor::say_what_was_taken(words[i], picked[i].record);
  return picked;
}

void add_stop(CLI::App& command, const Invocation& invocation, Action& action) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto all = std::make_shared<bool>(false);
  add_option(command, "run", *words, "IDs, names, or unique beginnings of IDs of runs under way");
  add_flag(command, "-a,--all", *all, "every run that is not over");
  set_footer(command, "Examples:\n  rv stop k3f9x2\n  rv stop train\n  rv stop --all");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (words->empty() && !*all) {
        throw Error("rv stop needs a run", "name one (rv ps lists them), or write rv stop --all", ExitCode::usage);
      }
      if (!words->empty() && *all) {
        throw Error("rv stop takes names or --all, not both", "leave one of them out", ExitCode::usage);
      }
      slurm::Gateway gateway;
      bool trouble = false;
      auto list = nlohmann::ordered_json::array();
      for (const auto& run : chosen(monitor::known_runs(invocation.settings.runs_folder()), *words, *all)) {
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
