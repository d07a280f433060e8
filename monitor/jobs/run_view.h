// Where a run stands: the run folder's records and Slurm's word, put together. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/job_status.h"
#include "monitor/run/retry_record.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

struct CandidateView {
  Candidate candidate;
  CandidateJournal journal;
  std::optional<JobStatus> status;  // nothing: not asked about; Phase::unknown: asked, and not known
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
  std::map<std::string, long long>
      log_sizes;  // bytes at the end, by file name, of the logs whose size the job recorded
  // The command got TERM, and Slurm did not send it. A requeue would explain it, but the record of the restarted job
  // may not be visible yet, so the end is not final.
  bool unexplained_term = false;
  std::optional<CopyState> output_copy;  // of `--output`, once the command has ended
  std::string copy_trouble;              // in words; empty: copied
  std::optional<RetryRecord> retry;      // that began the present attempt; nothing: this is the first
  std::string again;                     // why this poll had it started again; empty: it had not
};

/// The candidate that won the race; nullptr while none has.
const CandidateView* winner_of(const RunView& view);
/// The same candidate as the run's record describes it.
const Candidate* winner_of(const RunRecord& record, const RunView& view);

/// `now` is for the time that an unfinished segment has used. `statuses` holds what Slurm said of the run's jobs; a job
/// that is not in it was not asked about, or got no answer.
RunView assess(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now);

/// The present attempt ended before the command began; `why` is the reason. Gives `view` the state in which an earlier
/// attempt ended. Requires `facts.earlier_end`.
void take_earlier_end(RunView& view, const RunFacts& facts, const std::string& why);
/// The time limit of the job that won; nullopt while none has, and for a chain: each segment has its own limit.
std::optional<std::chrono::seconds> time_limit_of(const RunView& view);

/// The latest time at which Slurm ends a run that has started, by the time limit that it was submitted with.
std::optional<TimePoint> ends_by(const RunView& view);

}  // namespace rv::monitor
