#include "monitor/diagnosis/gather_evidence.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/natural_order.h"
#include "base/os/atomic_file.h"
#include "monitor/diagnosis/attempt_logs.h"
#include "monitor/diagnosis/element_causes.h"
#include "monitor/diagnosis/recorded_end.h"
#include "monitor/jobs/chain.h"
#include "slurm/parse/parse_jobs.h"

namespace rv::monitor {
namespace {

constexpr std::size_t tail_bytes = 65'536;
constexpr std::size_t most_files = 128;  // two a node

std::vector<std::string> files_in(const std::string& folder, std::string_view beginning = "") {
  std::vector<std::string> names;
  DIR* listing = ::opendir(folder.c_str());
  if (listing == nullptr) return names;
  while (const dirent* entry = ::readdir(listing)) {
    const std::string name = entry->d_name;
    const bool log = name.ends_with(".err") || name.ends_with(".out");
    if (log && name.starts_with(beginning)) names.push_back(name);
  }
  ::closedir(listing);
  std::sort(names.begin(), names.end(), NaturalOrder());
  if (names.size() > most_files) names.resize(most_files);
  return names;
}

constexpr std::size_t most_elements = 16;  // whose logs are read: a sweep fails for one reason as a rule

// Of an array's elements those that failed, as they are counted; none for what is not an array.
std::vector<int> failed_elements(const RunView& view) {
  std::vector<int> failed;
  if (!view.array) return failed;
  for (const auto& element : view.array->elements) {
    if (has_failed(element)) failed.push_back(element.index);
    if (failed.size() == most_elements) break;
  }
  return failed;
}

bool went_well(const std::string& state, int status, int signal) {
  return state == "COMPLETED" && status == 0 && signal == 0;
}

// Slurm has a record of each element: one that went well proves nothing of those that did not.
template <class Record>
std::optional<Record> telling(std::vector<Record>& records, JobId id, const std::string& name) {
  std::optional<Record> first;
  for (auto& record : records) {
    if (record.id != id || record.name != name) continue;
    if (!first) first = record;
    if (!went_well(record.state, record.exit_status, record.exit_signal)) return record;
  }
  return first;
}

bool went_wrong(RunState state) {
  constexpr std::array wrong = {RunState::failed,    RunState::timeout,       RunState::stopped, RunState::node_failure,
                                RunState::preempted, RunState::out_of_memory, RunState::lost,    RunState::unknown};
  return std::find(wrong.begin(), wrong.end(), state) != wrong.end();
}

// The job that ended the run: the winner's, else the last that was submitted.
std::optional<std::pair<JobId, std::string>> job_of(const RunFacts& facts, const RunView& view) {
  std::optional<std::pair<JobId, std::string>> job;
  for (const auto& candidate : view.candidates) {
    if (!candidate.journal.job) continue;
    if (view.winner && candidate.candidate.number != *view.winner) continue;
    job = {*candidate.journal.job, facts.job_name(candidate.candidate)};
  }
  // A chain's later segments may be jobs of their own.
  if (const auto last = last_job(facts); job && last) job->first = *last;
  return job;
}

/// What the winner's batch script asks for; nothing where no candidate won.
std::optional<Mebibytes> memory_of(const RunFolder& folder, const RunView& view) {
  if (!view.winner) return std::nullopt;
  const auto script = os::read_file(folder.file("candidates/" + std::to_string(*view.winner) + "/script.sh"));
  constexpr std::string_view option = "\n#SBATCH --mem=";
  const auto at = script ? script->find(option) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  const auto rest = std::string_view(*script).substr(at + option.size());
  return parse_memory(rest.substr(0, rest.find('\n')));
}

RunState state_of(ElementState state, RunState of_run) {
  switch (state) {
    case ElementState::queued:
      return RunState::queued;
    case ElementState::running:
      return RunState::running;
    case ElementState::done:
      return RunState::done;
    case ElementState::failed:
      return RunState::failed;
    case ElementState::stopped:
      return RunState::stopped;
    case ElementState::lost:
      return of_run == RunState::failed || of_run == RunState::done ? RunState::lost : of_run;
    case ElementState::not_started:
      return RunState::stopped;
  }
  return RunState::unknown;
}

/// The run's view as if the element were all of it.
RunView element_view(const RunView& run, int index) {
  RunView view = run;
  const auto* element = find_element(run.array->elements, index);
  const auto state = element_state(element, is_final(run.state));
  view.array.reset();
  view.state = state_of(state, run.state);
  view.detail.clear();
  view.exit_code.reset();
  view.nodes.clear();
  if (element == nullptr) return view;
  if (element->start) view.nodes = element->start->nodes;
  if (!element->exit) {
    if (state == ElementState::running) view.detail = "on " + view.nodes;
    return view;
  }
  view.exit_code = element->exit->code;
  view.detail = exit_code_words(element->exit->code);
  return view;
}

/// The nodes of a job that root cancelled right after its start (or no recorded user), and that are drained because of
/// their prolog. If the prolog of a job without --requeue fails, slurmd has slurmctld cancel it as root, and the
/// controller drains the node with the reason "Prolog error" (22.05 to 26.05).
std::vector<std::string> failed_prologs(const RunEvidence& evidence, slurm::Gateway& gateway) {
  const auto& row = evidence.accounting;
  const auto& record = evidence.record;
  const auto& list = row ? row->node_list : record ? record->node_list : std::string();
  const bool by_somebody = row && row->cancelled_by && *row->cancelled_by != 0;
  const auto ran = recorded_time(evidence);
  const bool early = ran && *ran <= std::chrono::minutes(5);
  if (evidence.view.state != RunState::stopped || evidence.facts.stop_requested || by_somebody || !early) return {};
  if (list.empty()) return {};
  std::vector<std::string> failed;
  const auto answer = gateway.nodes(list);
  for (const auto& node : answer ? *answer.value : std::vector<planner::Node>()) {
    if (node.reason.starts_with("Prolog error")) failed.push_back(node.name);
  }
  return failed;
}

}  // namespace

std::vector<LogTail> read_log_tails(const RunFolder& folder, const RunView& view) {
  std::vector<LogTail> logs;
  // What elements wrote that went well is not proof of why others did not.
  for (const int index : failed_elements(view)) {
    for (auto& log : element_logs(folder, index, "")) logs.push_back(std::move(log));
  }
  const bool enough = !logs.empty();
  for (const auto& name : enough ? std::vector<std::string>() : files_in(folder.file("logs"))) {
    auto tail = read_tail(folder.path(), "logs/" + name, tail_bytes);
    if (!tail) continue;
    tail->node = name.substr(0, name.size() - 4);
    logs.push_back(std::move(*tail));
  }
  for (const auto& candidate : view.candidates) {
    const int number = candidate.candidate.number;
    if (view.winner && number != *view.winner) continue;
    auto tail = read_tail(folder.path(), "candidates/" + std::to_string(number) + "/slurm.log", tail_bytes);
    if (tail) logs.push_back(std::move(*tail));
  }
  return logs;
}

std::vector<LogTail> element_logs(const RunFolder& folder, int index, const std::string& node) {
  std::vector<LogTail> logs;
  const std::string alone = std::to_string(index) + ".";  // "3.err", on several nodes "3.n2.err"
  for (const auto& name : files_in(folder.file("logs"), alone)) {
    auto tail = read_tail(folder.path(), "logs/" + name, tail_bytes);
    if (!tail) continue;
    const auto stem = name.substr(0, name.size() - 4);
    tail->node = stem.size() > alone.size() ? stem.substr(alone.size()) : node;
    logs.push_back(std::move(*tail));
  }
  return logs;
}

std::vector<RunEvidence> element_evidence(const RunFolder& folder, const RunView& view, const std::vector<int>& indices,
                                          slurm::Gateway& gateway) {
  const auto facts = read_facts(folder);
  const auto memory = memory_of(folder, view);
  std::vector<RunEvidence> all;
  for (const int index : indices) {
    RunEvidence one;
    one.facts = facts;
    one.view = element_view(view, index);
    one.user = ::getuid();
    const auto* element = find_element(facts.elements, index);
    one.facts.exit = element == nullptr ? std::nullopt : element->exit;
    one.logs = element_logs(folder, index, one.view.nodes);
    one.memory = memory;
    all.push_back(std::move(one));
  }
  const auto job = job_of(facts, view);
  const bool wrong = std::any_of(all.begin(), all.end(), [](const auto& one) { return went_wrong(one.view.state); });
  if (!wrong || !job) return all;
  const std::array ids = {job->first};
  const auto answer = gateway.accounting(ids);
  if (!answer) return all;
  for (const auto& row : slurm::rows_of(*answer.value, {job->first, job->second})) {
    const auto mark = row.shown.find('_');
    const auto index = mark == std::string::npos ? std::nullopt : element_of_label(row.shown.substr(mark + 1));
    for (std::size_t i = 0; index && i < indices.size(); ++i) {
      if (indices[i] == *index && went_wrong(all[i].view.state)) all[i].accounting = row;
    }
  }
  return all;
}

RunEvidence gather_evidence(const RunFolder& folder, const RunView& view, slurm::Gateway& gateway) {
  RunEvidence evidence;
  evidence.facts = read_facts(folder);
  evidence.view = view;
  evidence.user = ::getuid();
  evidence.logs = read_log_tails(folder, view);
  keep_present_attempt(evidence.facts, evidence.logs);
  if (!went_wrong(view.state)) return evidence;
  evidence.memory = memory_of(folder, view);
  const auto job = job_of(evidence.facts, view);
  if (!job) return evidence;
  if (auto answer = gateway.record(job->first)) {
    evidence.record = telling(*answer.value, job->first, job->second);
  }
  const std::array ids = {job->first};
  if (auto answer = gateway.accounting(ids)) {
    auto rows = slurm::rows_of(*answer.value, {job->first, job->second});
    evidence.accounting = telling(rows, job->first, job->second);
  }
  evidence.failed_prologs = failed_prologs(evidence, gateway);
  return evidence;
}

}  // namespace rv::monitor
