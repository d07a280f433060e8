// What a client does next about a run, as far as records and Slurm's word say. Pure.
#pragma once

#include "monitor/jobs/run_view.h"
#include "monitor/race/end_decision.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

enum class NextStep {
  show,        // nothing: it goes on, or all is done
  race_again,  // the controller has forgotten its jobs before one had started
  wait,        // it seems to be over: look again
  end,         // it is over: try it on other nodes if that is worth it, else write down how it ended
};

/// `wanted`: somebody follows the run, or it was submitted a moment ago.
NextStep next_step(const RunFacts& facts, const RunView& view, const LookAtEnd& look, bool wanted);
/// Whether next_step() depends on `look`.
bool needs_look(const RunFacts& facts, const RunView& view, bool wanted);

/// Whether a candidate of the present attempt has neither a job nor a refusal on record, and is still to be submitted.
bool has_unsubmitted(const RunFacts& facts);

}  // namespace rv::monitor
