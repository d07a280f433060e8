// Decides whether it is certain that a run has ended. Pure.
#pragma once

#include "monitor/jobs/run_view.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// Whether the run's own records prove its end. The proof is an exit record, a stop before user code, or a refusal of
/// every candidate. An exit record is not a proof while Slurm may start the job again, or while output is still being
/// copied.
bool is_proved(const RunFacts& facts, const RunView& view);

/// Observations that can make an end certain if no record proves it.
struct EndObservation {
  bool asked = false;      // Slurm reported the queue in this poll
  bool job_alive = false;  // the queue has a live job with the run's name
  bool settled = false;    // this end was seen for longer than a record needs to become visible
};

/// Whether an outcome may be recorded. Without a proof, the queue must have no live job with the run's name, for longer
/// than a record needs to become visible: a live job may still start, and must not find an outcome.
bool is_certain_end(const RunFacts& facts, const RunView& view, const EndObservation& observed);

}  // namespace rv::monitor
