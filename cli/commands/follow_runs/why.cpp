// rv why: the cause of a run's end, or of its waiting.

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/array_option.h"
#include "cli/options/command_option.h"
#include "cli/options/run_argument.h"
#include "cli/views/run_table.h"
#include "cli/waiting/waiting_text.h"
#include "monitor/diagnosis/element_causes.h"
#include "monitor/diagnosis/gather_evidence.h"
#include "monitor/diagnosis/job_evidence.h"
#include "monitor/jobs/start_estimate.h"
#include "monitor/race/watch_runs.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using monitor::Diagnosis;

std::string place_of(const monitor::Proof& proof) {
  return proof.line ? fmt::format("{}:{}", proof.source, *proof.line) : proof.source;
}

/// `waiting`: nothing if the run does not wait, or if no wait could be predicted.
void print_wait(const monitor::KnownRun& run, const monitor::RunView& view, const std::optional<WaitingRun>& waiting,
                int width) {
  if (!waiting || (!waiting->start && !waiting->after)) {
    const auto now = current_time();
    if (const auto start = monitor::estimate_start(view, run.record.created, now)) {
      fmt::print("start  {}\n", monitor::in_words(*start, now));
    }
  }
  if (!waiting) return;
  for (const auto& [word, line] : waiting_lines(*waiting, run.record.id)) {
    fmt::print("{}\n", wrapped(fmt::format("{:<6} {}", word, line), width, 7));
  }
}

void print_diagnosis(const monitor::KnownRun& run, const monitor::RunView& view, const Diagnosis& diagnosis,
                     const std::optional<WaitingRun>& waiting, const os::Terminal& terminal) {
  fmt::print("{}    {}  {}: {}{}\n", run.folder.path().empty() ? "job" : "run", run.record.id,
             one_line(run.record.name), coloured(to_string(view.state), tone_of(view.state), terminal.colour),
             view.detail.empty() ? "" : ", " + one_line(view.detail));
  fmt::print("cause  {}\n", one_line(diagnosis.summary));
  for (const auto& cause : diagnosis.elements) fmt::print("       {}\n", to_string(cause));
  print_wait(run, view, waiting, terminal.table_width());
  for (const auto& proof : diagnosis.proofs) fmt::print("proof  {}: {}\n", place_of(proof), one_line(proof.text));
  for (const auto cause : diagnosis.also) fmt::print("also   {}\n", text_of(cause).text);
  if (!diagnosis.advice.empty()) fmt::print("next   {}\n", diagnosis.advice);
  if (diagnosis.retry_elsewhere) {
    fmt::print("retry  the run may succeed on another node{}\n",
               diagnosis.bad_nodes.empty() ? "" : ": --exclude " + joined(diagnosis.bad_nodes));
  }
  if (diagnosis.tail.empty()) return;
  fmt::print("\nlast lines of {}\n",
             diagnosis.tail_element ? fmt::format("the output of element {}", *diagnosis.tail_element) : "its output");
  for (const auto& line : diagnosis.tail) fmt::print("  {}\n", one_line(line));
}

nlohmann::ordered_json diagnosis_json(const monitor::KnownRun& run, const monitor::RunView& view,
                                      const Diagnosis& diagnosis) {
  nlohmann::ordered_json json;
  json["id"] = run.record.id;
  json["state"] = to_string(view.state);
  json["cause"] = text_of(diagnosis.cause).name;
  json["known"] = diagnosis.cause != monitor::Cause::unknown;
  json["summary"] = diagnosis.summary;
  json["proofs"] = nlohmann::ordered_json::array();
  for (const auto& proof : diagnosis.proofs) {
    json["proofs"].push_back({{"source", proof.source},
                              {"line", proof.line ? nlohmann::ordered_json(*proof.line) : nlohmann::ordered_json()},
                              {"text", proof.text}});
  }
  json["also"] = nlohmann::ordered_json::array();
  for (const auto cause : diagnosis.also) json["also"].push_back(text_of(cause).name);
  json["advice"] = diagnosis.advice;
  json["retry_elsewhere"] = diagnosis.retry_elsewhere;
  json["bad_nodes"] = diagnosis.bad_nodes;
  json["tail"] = diagnosis.tail;
  json["tail_element"] =
      diagnosis.tail_element ? nlohmann::ordered_json(*diagnosis.tail_element) : nlohmann::ordered_json();
  json["elements"] = nlohmann::ordered_json::array();
  for (const auto& cause : diagnosis.elements) {
    json["elements"].push_back(
        {{"indices", cause.indices},
         {"exit_code", cause.exit_code},
         {"cause", cause.cause ? text_of(*cause.cause).name : text_of(monitor::Cause::unknown).name}});
  }
  return json;
}

void explain_run(const monitor::KnownRun& run, const monitor::RunView& view, const Diagnosis& diagnosis,
                 const Invocation& invocation) {
  const auto waiting = waiting_run(run, view, invocation);
  if (invocation.json) {
    auto document = diagnosis_json(run, view, diagnosis);
    document["waiting"] = waiting ? waiting_json(*waiting) : nlohmann::ordered_json();
    fmt::print("{}", json_text(document));
  } else {
    print_diagnosis(run, view, diagnosis, waiting, invocation.terminal);
  }
}

/// Diagnoses each element as if it were a separate run.
void explain_elements(const monitor::KnownRun& run, const monitor::RunView& view, const std::vector<int>& indices,
                      slurm::Gateway& gateway, const Invocation& invocation) {
  const auto evidence = monitor::element_evidence(run.folder, view, indices, gateway);
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    auto diagnosis = diagnose(evidence[i]);
    if (diagnosis.advice == text_of(monitor::Cause::unknown).advice) {
      diagnosis.advice = fmt::format("rv logs {} --element {} shows all of its output", run.record.id, indices[i]);
    }
    if (invocation.json) {
      nlohmann::ordered_json one = {{"element", indices[i]}};
      one.update(diagnosis_json(run, evidence[i].view, diagnosis));
      one.erase("elements");
      one.erase("tail_element");
      list.push_back(std::move(one));
    } else {
      fmt::print("{}element {}\n", i == 0 ? "" : "\n", indices[i]);
      print_diagnosis(run, evidence[i].view, diagnosis, std::nullopt, invocation.terminal);
    }
  }
  if (invocation.json) fmt::print("{}", json_text({{"id", run.record.id}, {"elements", list}}));
}

/// Explains a Slurm job that does not belong to a run. False if the word is not the ID of a job that Slurm knows.
bool explain_job(const std::string& word, const Invocation& invocation) {
  const auto id = slurm::parse_job_id(std::string_view(word).substr(0, word.find('_')));
  if (!id) return false;
  slurm::Gateway gateway;
  const auto evidence = monitor::job_evidence(*id, gateway);
  if (!evidence) return false;
  auto diagnosis = diagnose(*evidence);
  if (diagnosis.cause == monitor::Cause::unknown) {
    diagnosis.advice = evidence->logs.empty() ? "the job has no output file that rv can read"
                                              : evidence->logs.front().file + " has its output";
  }
  const monitor::KnownRun job{monitor::RunFolder(""), evidence->facts.record, false};
  if (invocation.json) {
    fmt::print("{}", json_text(diagnosis_json(job, evidence->view, diagnosis)));
  } else {
    print_diagnosis(job, evidence->view, diagnosis, std::nullopt, invocation.terminal);
  }
  return true;
}

/// The selected run; nothing if the word was the ID of a job outside rv, which has been explained.
std::optional<monitor::KnownRun> run_or_job(const std::vector<monitor::ListedRun>& runs, const RunArgument& word,
                                            const Invocation& invocation) {
  try {
    return named_or_latest(runs, *word);
  } catch (const Error& error) {
    if (*word && error.code() == ExitCode::no_such_run && explain_job(**word, invocation)) return std::nullopt;
    throw;
  }
}

void add_why(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto word = add_run_argument(
      command, "ID, name, or unique beginning of an ID (default: the newest run); or the ID of a Slurm job");
  auto wanted = std::make_shared<Elements>();
  add_element_option(command, *wanted, "explain only these elements of an array, each separately");
  set_footer(command, "Examples:\n  rv why\n  rv why train --json\n  rv why sweep --element 3,7-9\n  rv why 4711");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::runs_in(invocation.settings.runs_folder());
      const auto found = run_or_job(runs, word, invocation);
      if (!found) return 0;
      const auto& run = *found;
      const auto elements = *wanted || !*word ? *wanted : element_of_job(**word, run.record);
      if (elements) check_elements(run.record, *elements);
      const auto seen = monitor::poll_runs({run});
      slurm::Gateway gateway;
      const auto& view = seen.views.front();
      if (elements) {
        explain_elements(run, view, *elements, gateway, invocation);
      } else {
        explain_run(run, view, diagnose(gather_evidence(run.folder, view, gateway)), invocation);
      }
      monitor::report_trouble(seen.trouble);
      return 0;
    };
  });
}

}  // namespace

extern const Command why_command{
    .name = "why",
    .summary = "Explain why a run failed or waits",
    .group = groups::follow_runs,
    .add = add_why,
};

}  // namespace rv::cli
