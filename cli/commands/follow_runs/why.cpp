// rv why: the cause of a run's end, or of its waiting.

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/run_word.h"
#include "cli/views/run_table.h"
#include "monitor/diagnosis/gather_evidence.h"
#include "monitor/jobs/start_estimate.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

using monitor::Diagnosis;

std::string place_of(const monitor::Proof& proof) {
  return proof.line ? fmt::format("{}:{}", proof.source, *proof.line) : proof.source;
}

void print_diagnosis(const monitor::KnownRun& run, const monitor::RunView& view, const Diagnosis& diagnosis,
                     bool colour) {
  fmt::print("run    {}  {}: {}{}\n", run.record.id, one_line(run.record.name),
             coloured(to_string(view.state), tone_of(view.state), colour),
             view.detail.empty() ? "" : ", " + one_line(view.detail));
  fmt::print("cause  {}\n", one_line(diagnosis.summary));
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (const auto start = monitor::estimate_start(view, run.record.created, now)) {
    fmt::print("start  {}\n", monitor::in_words(*start, now));
  }
  for (const auto& proof : diagnosis.proofs) fmt::print("proof  {}: {}\n", place_of(proof), one_line(proof.text));
  for (const auto cause : diagnosis.also) fmt::print("also   {}\n", words_of(cause).words);
  if (!diagnosis.advice.empty()) fmt::print("next   {}\n", diagnosis.advice);
  if (diagnosis.retry_elsewhere) {
    fmt::print("retry  on another node it may well succeed{}\n",
               diagnosis.bad_nodes.empty() ? "" : ": --exclude " + joined(diagnosis.bad_nodes));
  }
  if (diagnosis.tail.empty()) return;
  fmt::print("\nlast lines of its output\n");
  for (const auto& line : diagnosis.tail) fmt::print("  {}\n", one_line(line));
}

nlohmann::ordered_json diagnosis_json(const monitor::KnownRun& run, const monitor::RunView& view,
                                      const Diagnosis& diagnosis) {
  nlohmann::ordered_json json;
  json["id"] = run.record.id;
  json["state"] = to_string(view.state);
  json["cause"] = words_of(diagnosis.cause).name;
  json["known"] = diagnosis.cause != monitor::Cause::unknown;
  json["summary"] = diagnosis.summary;
  json["proofs"] = nlohmann::ordered_json::array();
  for (const auto& proof : diagnosis.proofs) {
    json["proofs"].push_back({{"source", proof.source},
                              {"line", proof.line ? nlohmann::ordered_json(*proof.line) : nlohmann::ordered_json()},
                              {"text", proof.text}});
  }
  json["also"] = nlohmann::ordered_json::array();
  for (const auto cause : diagnosis.also) json["also"].push_back(words_of(cause).name);
  json["advice"] = diagnosis.advice;
  json["retry_elsewhere"] = diagnosis.retry_elsewhere;
  json["bad_nodes"] = diagnosis.bad_nodes;
  json["tail"] = diagnosis.tail;
  return json;
}

void add_why(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto word = add_run_word(command, "ID, name, or unique beginning of an ID (the newest run)");
  set_footer(command, "Examples:\n  rv why\n  rv why train --json");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      const auto run = named_or_latest(runs, *word);
      const auto seen = monitor::see_runs({run});
      slurm::Gateway gateway;
      const auto& view = seen.views.front();
      const auto diagnosis = diagnose(gather_evidence(run.folder, view, gateway));
      if (invocation.json) {
        fmt::print("{}", json_text(diagnosis_json(run, view, diagnosis)));
      } else {
        print_diagnosis(run, view, diagnosis, invocation.terminal.colour);
      }
      monitor::report_trouble(seen.trouble);
      return 0;
    };
  });
}

}  // namespace

extern const Command why_command{
    .name = "why",
    .summary = "Say why a run failed, or why it waits",
    .group = groups::follow_runs,
    .add = add_why,
};

}  // namespace rv::cli
