// Decides, from one poll of a run, which state the run has and which actions the polling rv process performs. Pure.
// The reconcile loop (watcher.h) repeats poll, decision and action.
#pragma once

#include <variant>
#include <vector>

#include "monitor/jobs/chain.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/observation.h"
#include "monitor/race/retry_run.h"

namespace rv::monitor {

/// Append an event to the journal (events.jsonl).
struct WriteEvent {
  Event event;
};
/// Record the wait for the GPUs in the track record of predictions.
struct RecordWait {};
/// Submit the candidates of the present attempt that were never submitted.
struct ResumeRace {};
/// Submit the segment `next` of the chain. It follows the segment of job `last` and has no job yet.
struct ResumeChain {
  JobId last;
  NextSegment next;
};
/// Begin another attempt because the controller has forgotten the jobs of this one. Retries after a failure are not
/// actions: worth_retrying() decides them (retry_run.h) once Decision::over is true.
struct RepeatRace {
  Retry retry;
};
using Action = std::variant<WriteEvent, RecordWait, ResumeRace, ResumeChain, RepeatRace>;

struct Decision {
  RunView view;  // the state after the actions
  std::vector<Action> actions;
  std::vector<JobKey> cancel;  // jobs that the run does not need; not an action: one call cancels the jobs of all runs
  /// The run has certainly ended, and has no outcome yet. The caller retries the run (worth_retrying) or writes its
  /// outcome.
  bool over = false;
};

/// Returns the run's state, the actions and the jobs to cancel; performs nothing itself. Actions that record, cancel or
/// submit jobs are returned only if Slurm answered in this poll. For a run with an outcome, it returns only the
/// cancelling of jobs that are left.
Decision reconcile(const Observation& seen);

}  // namespace rv::monitor
