#include "monitor/jobs/ended_run.h"

#include <algorithm>

#include "base/walltime.h"
#include "monitor/jobs/chain.h"
#include "monitor/jobs/state_of_ending.h"
#include "planner/slurm_words/job_reason.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

// How long to wait for Slurm's state of a job whose command received TERM, before only its own record counts. An
// epilog may take minutes.
constexpr std::chrono::minutes longest_unexplained_term(5);

// Slurm started that very job again, so it ended the start before on somebody's request. Slurm's own count says so,
// or the record of the later start, which is missing when the node refused it before the job script began. Nothing
// while Slurm has not said its count: then no record of a later start proves nothing.
std::optional<bool> was_requeued(const RunAssessment& run, JobId job) {
  const int restart = run.facts.standing.exit ? run.facts.standing.exit->restart : 0;
  const auto* status = run.winner_status();
  constexpr int unknown = -1;
  const int counted = status != nullptr ? status->restarts.value_or(unknown) : unknown;
  if (counted > restart) return true;
  const bool recorded = std::any_of(run.facts.events.begin(), run.facts.events.end(), [&](const Event& event) {
    if (event.name == EventKind::claimed && event.job == job && integer_or(event.more, "restarts", 0) > restart)
      return true;
    const bool stood_back = event.name == EventKind::stood_back || event.name == EventKind::refused_restart;
    return stood_back && event.job == job;
  });
  return recorded || counted != unknown ? std::optional(recorded) : std::nullopt;
}

// Given back by the job itself.
std::string given_back(const RunAssessment& run) {
  const auto* event = last_event(run.facts, EventKind::ended);
  if (event == nullptr) return "";
  for (const auto& [key, words] :
       {std::pair{"unattended_s", ": no shell was open for "}, std::pair{"idle_s", ": its GPUs were idle for "}}) {
    const int seconds = integer_or(event->more, key, 0);
    if (seconds > 0) return words + format_duration(std::chrono::seconds(seconds));
  }
  return "";
}

std::string crashes(const RunAssessment& run) {
  const int fruitless = fruitless_segments(run.facts.segments);
  return fruitless < 2 ? "" : " after " + std::to_string(fruitless) + " segments without progress";
}

// A step gets a TERM when the job of its run ends, or by itself (scancel JOB.STEP, kill 0).
void ended_in_step(RunAssessment& run, const ExitRecord& exit, const std::string& host) {
  // From the step's TERM until squeue no longer reports the job as running, also where the queue is older than the
  // record.
  constexpr std::chrono::seconds job_end_delay(10);
  const auto* status = run.winner_status();
  const auto phase = status != nullptr ? status->phase : Phase::unknown;
  if (exit.kind == ExitKind::preempted)
    return run.finish(RunState::preempted, "the job of run " + host + " was preempted");
  if (phase == Phase::ended) {
    const auto ending = status->ending.value_or(Ending::failed);
    const auto state = state_of_ending(ending);
    const std::string words = "the job of run " + host + " " + std::string(in_words(ending));
    return state == RunState::lost ? run.finish(RunState::stopped, "run " + host + " ended") : run.finish(state, words);
  }
  if (phase == Phase::running && run.now - exit.time > job_end_delay) {
    run.view.exit_code = exit.code;
    return run.finish(exit.code == 0 ? RunState::done : RunState::failed, exit_code_words(exit.code) + " after TERM");
  }
  run.finish(RunState::ending, "received TERM; Slurm has not reported yet whether run " + host + " ended");
}

// Only Slurm knows why the job got the TERM; the run folder only shows whether `rv stop` requested it.
void ended_by_term(RunAssessment& run, const ExitRecord& exit) {
  if (run.facts.stop_requested) return run.stopped();
  if (const auto& inside = run.facts.record.job.inside) return ended_in_step(run, exit, inside->run);
  const auto* status = run.winner_status();
  const auto phase = status != nullptr ? status->phase : Phase::unknown;
  const bool restarts = rules_of(run.facts.record).may_restart;
  if (restarts && (phase == Phase::pending || phase == Phase::held)) {
    run.view.ended.reset();
    return run.finish(RunState::queued,
                      "ended by Slurm, and queued again: " + planner::job_reason(status->reason).words);
  }
  const auto ending = phase == Phase::ended ? status->ending : std::nullopt;
  if (ending && state_of_ending(*ending) != RunState::lost) {
    return run.finish(state_of_ending(*ending), "the job " + std::string(in_words(*ending)) + run.elements());
  }
  if (exit.kind == ExitKind::preempted && (ending || !restarts)) {
    return run.finish(RunState::preempted, "the job was preempted" + run.elements());
  }
  // Slurm did not end it: the signal came from the command itself (kill 0) or from somebody on the node.
  if (ending == Ending::completed || ending == Ending::failed) {
    if (run.facts.record.job.hold) return run.finish(RunState::done, "released");
    const auto requeued = was_requeued(run, exit.job);
    if (!requeued)
      return run.finish(RunState::ending, "received TERM; Slurm has not reported yet whether it was requeued");
    run.view.exit_code = exit.code;
    run.view.unexplained_term = !*requeued;
    std::string words = exit_code_words(exit.code) + " after TERM";
    if (run.view.unexplained_term) {
      words += " that Slurm did not send";
    } else {
      words += ": its job was requeued (scontrol requeue or requeuehold), and ";
      words += restarts ? "Slurm's next start of the job failed" : "the command may run only once";
    }
    return run.finish(exit.code == 0 ? RunState::done : RunState::failed, words + run.elements());
  }
  if (ending == Ending::forgotten || ending == Ending::purged) {
    return run.finish(RunState::lost, "received TERM, and the job " + std::string(in_words(*ending)));
  }
  // An epilog that hangs, or an administrator who has put it back and holds it: nothing of it can start any more.
  const bool stuck = phase == Phase::completing || phase == Phase::pending || phase == Phase::held;
  if (stuck && !restarts && run.now - exit.time > longest_unexplained_term) {
    run.view.exit_code = exit.code;
    const std::string words = phase == Phase::completing ? "is still being cleaned up" : "is queued again";
    return run.finish(RunState::failed, exit_code_words(exit.code) + " after TERM; the job " + words);
  }
  run.finish(RunState::ending, "received TERM; Slurm has not reported why yet");
}

}  // namespace

void assess_end(RunAssessment& run, const ExitRecord& exit) {
  run.view.ended = exit.time;
  if (!run.facts.record.job.array) run.view.log_sizes = exit.log_sizes;
  if (was_terminated(exit.kind)) return ended_by_term(run, exit);
  const bool unfit = exit.kind == ExitKind::preflight;
  if (run.facts.record.job.hold && !unfit) return run.finish(RunState::done, "released" + given_back(run));
  const auto& facts = run.facts;
  auto end = end_of_exit(exit, facts.record.job.after, facts.segments.size());
  if (exit.kind == ExitKind::exited && exit.code != 0) end.detail += crashes(run);
  if (exit.kind == ExitKind::exited || exit.kind == ExitKind::stopped) end.detail += run.elements();
  run.view.exit_code = end.exit_code;
  run.finish(end.state, end.detail);
}

}  // namespace rv::monitor
