// Where a run stands: the run folder's records and Slurm's word, put together. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/run/job_status.h"
#include "monitor/run/lookup.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

struct CandidateView {
  Candidate candidate;
  CandidateJournal journal;
  std::optional<JobStatus> status;  // nothing: not asked about; Phase::unknown: asked, and nobody knows
};

/// How far a run in segments is.
struct ChainView {
  std::vector<Segment> segments;
  std::chrono::seconds total{0};  // asked for
  std::chrono::seconds used{0};   // by all segments so far
  std::optional<double> used_su;
};

/// How far a run of many elements is.
struct ArrayView {
  std::vector<Element> elements;  // those that began
  std::vector<int> indices;       // all
};

struct RunView {
  RunState state = RunState::unknown;
  std::string detail;            // one line in words: reason, node, cause
  std::optional<int> exit_code;  // the command's own
  std::optional<int> winner;     // candidate number
  std::string nodes;             // of the winner, as Slurm writes them
  std::optional<TimePoint> started;
  std::optional<TimePoint> ended;
  std::vector<CandidateView> candidates;
  std::optional<ChainView> chain;
  std::optional<ArrayView> array;
  std::vector<std::string> warnings;  // wrong GPU and the like
  std::string again;                  // why this look had it started again; empty: it had not
};

/// Where the candidates stand according to journal and ledger.
std::vector<CandidateJournal> journals_of(const RunFacts& facts);

/// Jobs of the present attempt that are in the queue and may start or run, by their names: an sbatch without an answer
/// can have been accepted without anybody knowing the job's ID.
std::vector<slurm::QueueRow> live_jobs(const RunFacts& facts, const QueueView& queue);

/// Jobs that would have to be asked about to say more: those that may be alive.
std::vector<JobKey> open_jobs(const RunFacts& facts);

/// `now` is for the time that an unfinished segment has used. `statuses` holds what Slurm said of the run's jobs; a job
/// that is not in it was not asked about or nobody answered.
RunView assess(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now);

/// Jobs of this run that are alive in the queue although the run has been claimed by another job, by stop, or is over.
std::vector<slurm::JobId> losers(const RunFacts& facts, const QueueView& queue);

}  // namespace rv::monitor
