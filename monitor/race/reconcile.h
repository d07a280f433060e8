// The decision of the reconcile loop: what one poll has shown of a run → how the run stands, and what a client does
// about it. Pure; watcher.h repeats poll, decision and action.
#pragma once

#include <variant>
#include <vector>

#include "monitor/jobs/chain.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/observation.h"
#include "monitor/race/retry_run.h"

namespace rv::monitor {

/// Write an event to the journal.
struct WriteEvent {
  Event event;
};
/// Record the wait for the GPUs in the track record of predictions.
struct RecordWait {};
/// Submit the candidates of the present attempt that were never submitted.
struct ResumeRace {};
/// Submit the segment after `last`, which has no job yet.
struct ResumeChain {
  JobId last;
  NextSegment next;
};
/// Begin another attempt: the controller has lost the jobs of this one.
struct RepeatRace {
  Retry retry;
};
using Action = std::variant<WriteEvent, RecordWait, ResumeRace, ResumeChain, RepeatRace>;

struct Decision {
  RunView view;  // as it will be after the actions
  std::vector<Action> actions;
  std::vector<JobKey> cancel;  // jobs that the run does not need; one call serves the jobs of many runs
  bool over = false;           // race again if that is worth it, else write down how it ended
};

/// Records, cancels and submits jobs only if Slurm answered in this poll. Once the run has an outcome, it only cancels
/// jobs that are left.
Decision reconcile(const Observation& seen);

}  // namespace rv::monitor
