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

/// A line in the journal.
struct Note {
  Event event;
};
/// Record the wait for the GPUs in the statistics.
struct NoteStart {};
/// Candidates of the present attempt were never submitted.
struct GoOnWithRace {};
/// The segment after `last` has no job.
struct GoOnWithChain {
  JobId last;
  NextSegment next;
};
/// Another attempt begins, because the controller has forgotten the jobs of this one.
struct RaceAgain {
  Retry retry;
};
using Action = std::variant<Note, NoteStart, GoOnWithRace, GoOnWithChain, RaceAgain>;

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
