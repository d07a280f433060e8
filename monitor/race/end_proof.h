// When it is certain that a run has ended. Pure.
#pragma once

#include "monitor/jobs/run_view.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// The run's own records prove its end: an exit record (but for one that leaves open whether the job starts again), a
/// stop before user code, a refusal of every candidate.
bool is_proved(const RunFacts& facts, const RunView& view);

/// What else is known of an end that no record proves.
struct EndObservation {
  bool asked = false;      // Slurm's queue was seen in this poll
  bool job_alive = false;  // a job of the run's name is in it
  bool settled = false;    // this end has been seen for longer than a record of it could take to arrive
};

/// Whether an outcome is to be written. Absence of a record proves nothing: without one, only Slurm's word that every
/// job of the run's name is over counts, and that only after a while. A job that is alive under the name may still
/// start: it must not find its end written down.
bool is_certain_end(const RunFacts& facts, const RunView& view, const EndObservation& observed);

}  // namespace rv::monitor
