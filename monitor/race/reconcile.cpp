#include "monitor/race/reconcile.h"

#include <algorithm>

#include "monitor/jobs/observed_wait.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/race/end_proof.h"
#include "monitor/race/timed_events.h"
#include "monitor/race/unknown_to_slurm.h"

namespace rv::monitor {
namespace {

// The next client resumes a race whose client died, but not after this long: by then the plan is stale, and the user
// has moved on.
constexpr std::chrono::minutes stale_race(10);

bool has_pending_actions(const Observation& seen) {
  return seen.queue.answered && !seen.facts.outcome;
}

bool resumes_race(const Observation& seen) {
  const auto& facts = seen.facts;
  TimePoint begun = facts.record.created;
  if (facts.standing.retry) begun = std::max(begun, facts.standing.retry->time);
  return has_pending_actions(seen) && !seen.elsewhere && has_unsubmitted(facts) && seen.now - begun <= stale_race;
}

// Somebody follows the run, or it was submitted a moment ago.
bool is_wanted(const Observation& seen) {
  const auto submitted = last_submission(seen.facts);
  return seen.followed || (submitted && seen.now - *submitted <= stale_race);
}

// An end that left no record, seen for long enough that the record would have arrived. Nothing: not noted yet.
std::optional<bool> end_is_settled(const Observation& seen, JobId job) {
  const auto start = last_start(seen.facts, job, seen.statuses);
  const auto noted = time_since_event(seen.facts, EventKind::unrecorded_end, start, seen.moment);
  if (!noted) return std::nullopt;
  return *noted >= seen.lag;
}

// A job that Slurm has put back into the queue copies nothing any more, and ends at the gate whenever it starts.
bool has_live_job(const Observation& seen, const RunView& view) {
  const auto live = live_jobs(seen.facts, seen.queue);
  return std::any_of(live.begin(), live.end(), [&](const slurm::QueueRow& row) {
    const auto phase = status_of(row).phase;
    return view.output_copy != CopyState::requeued || (phase != Phase::pending && phase != Phase::held);
  });
}

WriteEvent end_event(const Observation& seen, JobId job) {
  const auto start = last_start(seen.facts, job, seen.statuses);
  return {timed_event(seen.facts, EventKind::unrecorded_end, start, seen.host, seen.moment)};
}

// The job that ended the run and is still there long after it: a controller that came back with an older state takes it
// for running.
std::vector<JobKey> overdue_jobs(const Observation& seen) {
  constexpr std::chrono::minutes longest_ending(2);
  std::vector<JobKey> keys;
  const auto& outcome = seen.facts.standing.outcome;
  if (!outcome || !seen.facts.exit || seen.now - outcome->time < longest_ending) return keys;
  // An older rv writes the outcome while the job copies the output, or the exit entry came after the outcome.
  if (seen.facts.copies.unfinished() && seen.facts.outcome && !seen.facts.outcome->copy) return keys;
  for (const auto& row : live_jobs(seen.facts, seen.queue)) keys.push_back({row.id, row.name});
  return keys;
}

void add_segment(const Observation& seen, std::vector<Action>& actions) {
  const auto last = last_job(seen.facts);
  if (!seen.facts.record.job.chain || !last) return;
  const auto status = seen.statuses.find(*last);
  if (status == seen.statuses.end()) return;
  auto next = next_segment(seen.facts, status->second);
  if (!next) return;
  const auto settled = end_is_settled(seen, *last);
  if (!settled) {
    actions.push_back(end_event(seen, *last));
  } else if (*settled) {
    actions.push_back(ResumeChain{*last, std::move(*next)});
  }
}

/// A scancel failed, or an sbatch was accepted after the end: no job of the run is left in the queue for long.
std::vector<JobKey> jobs_left(const Observation& seen) {
  auto left = losers(seen.facts, seen.queue);
  for (auto& job : overdue_jobs(seen)) {
    if (std::find(left.begin(), left.end(), job) == left.end()) left.push_back(std::move(job));
  }
  return left;
}

/// What a run that is not over needs: jobs on record, candidates and segments submitted.
void add_pending_actions(const Observation& seen, std::vector<Action>& actions) {
  for (const auto& found : seen.found) actions.push_back(WriteEvent{event_of(found, seen.facts.standing.attempt)});
  if (resumes_race(seen)) actions.push_back(ResumeRace{});
  for (const auto& job : seen.unknown_to_slurm) {
    const JobStart start{.job = job, .restart = 0, .began = 0};
    if (time_since_event(seen.facts, EventKind::unknown_to_slurm, start, seen.moment)) continue;
    actions.push_back(WriteEvent{timed_event(seen.facts, EventKind::unknown_to_slurm, start, seen.host, seen.moment)});
  }
  add_segment(seen, actions);
}

/// The state of a race whose submitter is gone.
void judge_unsubmitted(const Observation& seen, RunView& view) {
  const auto& facts = seen.facts;
  if (view.state != RunState::unsubmitted) return;
  if (resumes_race(seen)) {
    view.state = RunState::submitting;
    view.detail.clear();
    return;
  }
  // The process that submitted the retry is gone, and so is the time in which another rv resumes it.
  const bool cut_short = !facts.being_submitted && !seen.elsewhere;
  if (cut_short && facts.earlier_end && seen.queue.answered) {
    take_earlier_end(view, facts, "it was not started again: its submission was interrupted");
  }
}

/// The view is final, and no outcome is written: it ends, races again because Slurm has forgotten it, or waits for more
/// to be known.
void judge_end(const Observation& seen, Decision& decision) {
  auto& view = decision.view;
  if (is_wanted(seen)) {
    if (auto again = forgotten_race(seen.facts, view)) {
      view.state = RunState::queued;
      view.detail = view.again = "will be submitted again: " + again->why;
      decision.actions.push_back(RepeatRace{std::move(*again)});
      return;
    }
  }
  if (is_proved(seen.facts, view)) {
    decision.over = true;
    return;
  }
  const auto job = last_job(seen.facts).value_or(JobId{});
  const auto settled = end_is_settled(seen, job);
  if (!settled) decision.actions.push_back(end_event(seen, job));
  const EndObservation observed{
      .asked = seen.queue.answered, .job_alive = has_live_job(seen, view), .settled = settled.value_or(false)};
  decision.over = is_certain_end(seen.facts, view, observed);
  if (!decision.over) view.state = observed.job_alive ? RunState::queued : RunState::ending;
}

}  // namespace

Decision reconcile(const Observation& seen) {
  const auto& facts = seen.facts;
  Decision decision{.view = assess(facts, seen.statuses, seen.now), .actions = {}, .cancel = {}, .over = false};
  if (seen.queue.answered) decision.cancel = facts.outcome ? jobs_left(seen) : losers(facts, seen.queue);
  if (has_pending_actions(seen)) add_pending_actions(seen, decision.actions);
  if (!facts.record.job.inside && !is_start_noted(facts) && observed_wait(facts))
    decision.actions.push_back(RecordWait{});
  judge_unsubmitted(seen, decision.view);
  if (!facts.outcome && is_final(decision.view.state)) judge_end(seen, decision);
  return decision;
}

}  // namespace rv::monitor
