#include "monitor/jobs/claimed_run.h"

#include "monitor/jobs/chain.h"
#include "monitor/jobs/state_of_ending.h"
#include "planner/slurm_words/job_reason.h"

namespace rv::monitor {
namespace {

// Some of its elements have begun.
void in_array(RunAssessment& run, const JobStatus& status) {
  const auto& indices = run.facts.record.job.array->elements;
  const std::string words = element_words(run.facts.elements, indices);
  switch (status.phase) {
    case Phase::unknown:
      return run.finish(RunState::unknown, words);
    case Phase::pending:
    case Phase::held:
      return run.finish(RunState::queued, words + ", the others: " + planner::job_reason(status.reason).words);
    case Phase::configuring:
    case Phase::running:
    case Phase::suspended:
    case Phase::completing:
      return run.finish(RunState::running, words);
    case Phase::ended:
      break;
  }
  const auto ending = status.ending.value_or(Ending::failed);
  if (run.facts.stop_requested && ending == Ending::cancelled) {
    return run.finish(RunState::stopped, "on request; " + words);
  }
  run.finish(state_of_ending(ending),
             "the job " + std::string(in_words(ending)) + "; " + words +
                 ", without a record of their end: " + without_end(run.facts.elements, indices));
}

// Between its first start and its end, over all of its jobs.
void in_chain(RunAssessment& run, const JobStatus* status) {
  const bool open = !run.facts.segments.empty() && !run.facts.segments.back().end;
  const std::string here = segment_words(run.facts, open ? 0 : 1);
  if (status == nullptr) return run.finish(RunState::running, here);
  if (!status->node_list.empty()) run.view.nodes = status->node_list;
  switch (status->phase) {
    case Phase::unknown:
      return run.finish(RunState::unknown, here);
    case Phase::pending:
    case Phase::held:
      return run.finish(RunState::queued,
                        segment_words(run.facts, 1) + ": " + planner::job_reason(status->reason).words);
    case Phase::configuring:
      return run.finish(RunState::starting, here + ": nodes are being prepared: " + run.view.nodes);
    case Phase::running:
      return run.finish(open ? RunState::running : RunState::starting, here + " on " + run.view.nodes);
    case Phase::suspended:
      return run.finish(RunState::running, here + " suspended on " + run.view.nodes);
    case Phase::completing:
      // The next segment's job is on record a moment after this one's end.
      return run.finish(RunState::running, here + " is ending on " + run.view.nodes);
    case Phase::ended:
      break;
  }
  const auto ending = status->ending.value_or(Ending::failed);
  // Its job was lost between the end of the last segment and the record of the run's.
  if (!open && !run.facts.segments.empty() && run.facts.segments.back().end->reason == SegmentReason::finished) {
    run.view.exit_code = 0;
    return run.finish(RunState::done, "segment " + std::to_string(run.facts.segments.back().number) + " finished");
  }
  if (run.facts.stop_requested || ending == Ending::cancelled) return run.stopped();
  if (const auto next = next_segment(run.facts, *status)) {
    return run.finish(RunState::queued, "segment " + std::to_string(next->number) + " will be submitted: " + next->why);
  }
  run.finish(state_of_ending(ending),
             "the job " + std::string(in_words(ending)) + "; its last segments ended without a record");
}

// A step of another run's job, whose status this is.
void in_step(RunAssessment& run, const templates::Inside& inside, const JobStatus* status) {
  const auto alive = run.facts.has_started() ? RunState::running : RunState::starting;
  const std::string here = "in run " + inside.run + " on " + run.view.nodes;
  if (status == nullptr) return run.finish(alive, here);
  if (status->phase == Phase::unknown) return run.finish(RunState::unknown, here);
  if (status->phase != Phase::ended)
    return run.finish(status->phase == Phase::completing ? RunState::ending : alive, here);
  if (run.facts.stop_requested) return run.stopped();
  const std::string unrecorded = " without a record of the command's exit code";
  if (status->step_ended) {
    return run.finish(RunState::lost, "its Slurm step in run " + inside.run + " ended" + unrecorded);
  }
  const auto ending = status->ending.value_or(Ending::failed);
  const auto state = state_of_ending(ending);
  run.finish(state, "the job of run " + inside.run + " " + std::string(in_words(ending)) +
                        (state == RunState::lost ? unrecorded : ""));
}

}  // namespace

void assess_claimed(RunAssessment& run) {
  const auto* status = run.winner_status();
  if (run.facts.record.job.inside) return in_step(run, *run.facts.record.job.inside, status);
  if (run.facts.record.job.chain) return in_chain(run, status);
  if (run.facts.record.job.array && status != nullptr) return in_array(run, *status);
  const bool ready = run.facts.has_started();
  const RunState alive = !ready                      ? RunState::starting
                         : run.facts.record.job.hold ? RunState::holding
                                                     : RunState::running;
  if (status == nullptr || status->phase == Phase::unknown) {
    // Slurm was not queried yet, or did not answer. The claim proves that the job began; there is no proof of its end.
    return run.finish(status == nullptr ? alive : RunState::unknown, "on " + run.view.nodes);
  }
  if (!status->node_list.empty()) run.view.nodes = status->node_list;
  switch (status->phase) {
    case Phase::pending:
    case Phase::held:
      return run.finish(RunState::queued, "requeued: " + planner::job_reason(status->reason).words);
    case Phase::configuring:
      return run.finish(RunState::starting, "nodes are being prepared: " + run.view.nodes);
    case Phase::running:
      return run.finish(alive, "on " + run.view.nodes);
    case Phase::suspended:
      return run.finish(RunState::running, "suspended on " + run.view.nodes);
    case Phase::completing:
      return run.finish(RunState::ending, "on " + run.view.nodes);
    case Phase::ended: {
      const auto ending = status->ending.value_or(Ending::failed);
      if (!ready && run.facts.earlier_end) {
        const std::string words = "the job " + std::string(in_words(ending)) + " before it was started again";
        return take_earlier_end(run.view, run.facts,
                                run.facts.stop_requested ? "stopped before it was started again" : words);
      }
      if (run.facts.stop_requested && ending == Ending::cancelled) return run.stopped();
      if (run.facts.record.job.hold && ending == Ending::completed) return run.finish(RunState::done, "released");
      const auto state = state_of_ending(ending);
      return run.finish(state, "the job " + std::string(in_words(ending)) +
                                   (state == RunState::lost ? " without a record of the command's exit code" : ""));
    }
    case Phase::unknown:
      break;
  }
}

}  // namespace rv::monitor
