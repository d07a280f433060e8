#include "monitor/diagnosis/job_evidence.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "monitor/jobs/state_of_ending.h"
#include "slurm/command_trouble.h"

namespace rv::monitor {
namespace {

constexpr std::size_t tail_bytes = 65'536;

/// Of a job that is not a run's Slurm has the only record, so COMPLETED and FAILED are its ends.
RunState state_of(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return RunState::done;
    case Ending::failed:
      return RunState::failed;
    case Ending::revoked:
      return RunState::stopped;
    default:
      return state_of_ending(ending);
  }
}

RunState state_of(const JobStatus& status) {
  switch (status.phase) {
    case Phase::pending:
    case Phase::held:
      return RunState::queued;
    case Phase::configuring:
      return RunState::starting;
    case Phase::running:
    case Phase::suspended:
      return RunState::running;
    case Phase::completing:
      return RunState::ending;
    case Phase::ended:
      return state_of(status.ending.value_or(Ending::failed));
    case Phase::unknown:
      break;
  }
  return RunState::unknown;
}

/// Of an array's elements the first that did not end well.
template <class Record>
std::optional<Record> not_well(std::vector<Record> records) {
  if (records.empty()) return std::nullopt;
  const auto found = std::find_if(records.begin(), records.end(), [](const Record& record) {
    const auto status = status_of(record);
    return status.phase == Phase::ended && status.ending != Ending::completed;
  });
  return found == records.end() ? std::move(records.front()) : std::move(*found);
}

std::string detail_of(const JobStatus& status, const std::string& nodes, std::optional<int> code) {
  if (status.phase == Phase::ended) {
    if (code && *code != 0 && status.ending == Ending::failed) return exit_code_words(*code);
    return "the job " + std::string(in_words(status.ending.value_or(Ending::failed)));
  }
  return nodes.empty() ? "" : "on " + nodes;
}

/// A shell reports the signal that ended a program as 128 and its number; so does this.
int shell_code(int status, int signal) {
  return signal != 0 ? 128 + signal : status;
}

/// The end of the job's own output file.
std::vector<LogTail> output_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos || path == "/dev/null") return {};
  auto tail = read_tail(path.substr(0, slash), path.substr(slash + 1), tail_bytes);
  if (!tail) return {};
  tail->file = path;
  return {std::move(*tail)};
}

void describe(RunEvidence& evidence, const JobStatus& status, JobId id, const std::string& nodes, int code) {
  evidence.view.state = state_of(status);
  if (status.phase == Phase::ended) evidence.view.exit_code = code;
  evidence.view.nodes = nodes;
  evidence.view.detail = detail_of(status, nodes, evidence.view.exit_code);
  CandidateView candidate;
  candidate.candidate.summary = "job " + slurm::to_string(id);
  candidate.journal.job = id;
  candidate.status = status;
  evidence.view.candidates = {candidate};
}

}  // namespace

std::optional<RunEvidence> job_evidence(JobId id, slurm::Gateway& gateway) {
  RunEvidence evidence;
  evidence.user = ::getuid();
  evidence.facts.record.id = slurm::to_string(id);
  const auto records = gateway.record(id);
  if (records) evidence.record = not_well(*records.value);
  const auto ended = [](const JobStatus& status) { return status.phase == Phase::ended; };
  if (!evidence.record || ended(status_of(*evidence.record))) {
    const std::array ids = {id};
    if (const auto rows = gateway.accounting(ids)) {
      evidence.accounting = not_well(*rows.value);
    } else if (!records) {
      throw Error("Slurm did not answer: " + records.trouble, slurm::advice_for(records.trouble), ExitCode::slurm);
    }
  }
  auto& run = evidence.facts.record;
  if (const auto& record = evidence.record) {
    run.name = record->name;
    run.created = record->submitted.value_or(TimePoint());
    describe(evidence, status_of(*record), id, record->node_list, shell_code(record->exit_status, record->exit_signal));
    evidence.logs = output_of(record->standard_output);
  } else if (const auto& row = evidence.accounting) {
    run.name = row->name;
    run.created = row->submitted.value_or(TimePoint());
    describe(evidence, status_of(*row), id, row->node_list, shell_code(row->exit_status, row->exit_signal));
  } else {
    return std::nullopt;
  }
  return evidence;
}

}  // namespace rv::monitor
