// The decision of the reconcile loop: what one look has shown of a run → how the run stands, and what a client does
// about it. Pure; watcher.h repeats look, decision and action.
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
/// The wait for the GPUs goes into the statistics.
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
  RunView view;  // with what is going to be done
  std::vector<Action> actions;
  std::vector<JobKey> cancel;  // jobs that the run does not need; one call serves the jobs of many runs
  bool over = false;           // try it again on other nodes if that is worth it, else write down how it ended
};

/// Jobs are put on record, cancelled and submitted only after Slurm has answered in this look, and, but for those that
/// are left of it, only for a run that has no outcome.
Decision reconcile(const Observation& seen);

}  // namespace rv::monitor
