// What a client does about a run after a look. Pure: an observation in, what is to be done out; act.h does it.
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
/// The run does not need these jobs.
struct Cancel {
  std::vector<JobKey> jobs;
};
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
using Action = std::variant<Note, NoteStart, Cancel, GoOnWithRace, GoOnWithChain, RaceAgain>;

struct Decision {
  RunView view;  // with what is going to be done
  std::vector<Action> actions;
  bool over = false;  // it has ended, and the outcome is to be written; or it is tried again, if that is worth it
};

/// Duties to a run that is not over, after Slurm has been asked: jobs to put on record, to cancel, to submit. None
/// without an answer.
std::vector<Action> duties(const Observation& seen);

/// How the run stands, and what follows for its end.
Decision decide(const Observation& seen);

}  // namespace rv::monitor
