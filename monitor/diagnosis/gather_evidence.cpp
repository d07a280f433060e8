#include "monitor/diagnosis/gather_evidence.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/natural_order.h"
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

// Of an array's elements those that failed, as they are counted; none for what is no array.
std::vector<int> failed_elements(const RunView& view) {
  std::vector<int> failed;
  if (!view.array) return failed;
  for (const auto& element : view.array->elements) {
    const auto& exit = element.exit;
    if (exit && (exit->code != 0 || exit->kind != ExitKind::exited)) failed.push_back(element.index);
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

}  // namespace

std::vector<LogTail> read_log_tails(const RunFolder& folder, const RunView& view) {
  std::vector<LogTail> logs;
  // What elements wrote that went well is no proof of why others did not.
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

Evidence gather_evidence(const RunFolder& folder, const RunView& view, slurm::Gateway& gateway) {
  Evidence evidence;
  evidence.facts = read_facts(folder);
  evidence.view = view;
  evidence.user = ::getuid();
  evidence.logs = read_log_tails(folder, view);
  if (!went_wrong(view.state)) return evidence;
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
  return evidence;
}

}  // namespace rv::monitor
