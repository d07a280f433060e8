// The state of a run, from its folder's records and Slurm's status of its jobs. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/job_status.h"
#include "monitor/jobs/preflight_view.h"
#include "monitor/run/retry_record.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

struct CandidateView {
  Candidate candidate;
  CandidateJournal journal;
  std::optional<JobStatus> status;  // nothing: Slurm was not asked; Phase::unknown: Slurm did not report a state
};

/// The progress of a chain.
struct ChainView {
  std::vector<Segment> segments;
  std::chrono::seconds total{0};  // time that was requested
  std::chrono::seconds used{0};   // time that all segments have used so far
  std::optional<double> used_su;
};

/// The progress of an array.
struct ArrayView {
  std::vector<Element> elements;  // elements that have begun
  std::vector<int> indices;       // indices of all elements
};

struct RunView {
  RunState state = RunState::unknown;
  std::string detail;            // one line of text: reason, node, cause
  std::optional<int> exit_code;  // the command's own
  std::optional<int> winner;     // candidate number
  std::string nodes;             // nodes of the winner, as Slurm writes them
  std::optional<TimePoint> started;
  std::optional<TimePoint> ended;
  std::vector<CandidateView> candidates;
  std::vector<UsedSpan> used;  // when jobs had their GPUs, in all attempts; of a chain see `chain`
  std::optional<ChainView> chain;
  std::optional<ArrayView> array;
  std::vector<std::string> warnings;  // such as a wrong GPU type
  std::map<std::string, long long>
      log_sizes;  // bytes at the end of the command, by file name, of the logs whose size the job recorded
  // The command got TERM, and Slurm did not send it. A requeue would explain it, but the record of the restarted job
  // may not be visible yet, so the end is not final.
  bool unexplained_term = false;
  std::optional<CopyState> output_copy;    // the copy of `--output`; set when the command has ended
  std::string copy_trouble;                // why it failed; empty: it did not fail
  std::optional<RetryRecord> retry;        // the retry that began the present attempt; nothing: it is the first attempt
  std::optional<PreflightView> preflight;  // the last one
  std::string again;                       // why this poll starts the run again; empty: it does not
};

/// The candidate that won the race; null if none has won.
const CandidateView* winner_of(const RunView& view);
/// The same candidate in the run's record.
const Candidate* winner_of(const RunRecord& record, const RunView& view);

/// Computes the state of the run. `statuses`: Slurm's status of its jobs; a job that is not in it was not queried, or
/// Slurm did not answer. `now` gives the time that an unfinished segment has used.
RunView assess(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now);

/// Sets `view` to the state in which an earlier attempt ended. Call it if the present attempt ended before the command
/// began; `why` is the reason. Requires `facts.earlier_end`.
void take_earlier_end(RunView& view, const RunFacts& facts, const std::string& why);
/// The time limit of the job that won: as it is now if squeue reported it, else that of its submission. Nothing if none
/// has won, and for a chain, whose segments have their own limits.
std::optional<std::chrono::seconds> time_limit_of(const RunView& view);

/// The latest time at which Slurm ends the run, as squeue reports it, else from its start and time limit. Nothing if it
/// has not started.
std::optional<TimePoint> ends_by(const RunView& view);

}  // namespace rv::monitor
