#include "monitor/race/decide.h"

#include <algorithm>

#include "monitor/jobs/observed_wait.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/race/next_step.h"
#include "monitor/race/noted.h"
#include "monitor/race/unknown_to_slurm.h"

namespace rv::monitor {
namespace {

// A race whose rv died is gone on with by the next rv, but not when nobody looked for so long: the plan is stale then
// and the user has moved on.
constexpr std::chrono::minutes stale_race(10);

bool has_duties(const Observation& seen) {
  return seen.queue.answered && !seen.facts.outcome;
}

bool goes_on_with_race(const Observation& seen) {
  const auto& facts = seen.facts;
  TimePoint begun = facts.record.created;
  if (facts.standing.retry) begun = std::max(begun, facts.standing.retry->time);
  return has_duties(seen) && !seen.elsewhere && has_unsubmitted(facts) && seen.now - begun <= stale_race;
}

// Somebody follows the run, or it was submitted a moment ago.
bool is_wanted(const Observation& seen) {
  const auto submitted = last_submission(seen.facts);
  return seen.followed || (submitted && seen.now - *submitted <= stale_race);
}

// An end that left no record, seen for long enough that the record would have arrived. Nothing: not noted yet.
std::optional<bool> end_is_settled(const Observation& seen, JobId job) {
  const auto start = last_start(seen.facts, job, seen.statuses);
  const auto noted = noted_for(seen.facts, EventKind::unrecorded_end, start, seen.moment);
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

Note note_end(const Observation& seen, JobId job) {
  const auto start = last_start(seen.facts, job, seen.statuses);
  return {note(seen.facts, EventKind::unrecorded_end, start, seen.host, seen.moment)};
}

// The job that ended the run and is still there long after it: a controller that came back with an older state takes it
// for running.
std::vector<JobKey> overdue_jobs(const Observation& seen) {
  constexpr std::chrono::minutes longest_ending(2);
  std::vector<JobKey> keys;
  const auto& outcome = seen.facts.standing.outcome;
  if (!outcome || !seen.facts.exit || seen.now - outcome->time < longest_ending) return keys;
  for (const auto& row : live_jobs(seen.facts, seen.queue)) keys.push_back({row.id, row.name});
  return keys;
}

void add_segment(const Observation& seen, std::vector<Action>& actions) {
  const auto last = last_job(seen.facts);
  if (!seen.facts.record.chain || !last) return;
  const auto status = seen.statuses.find(*last);
  if (status == seen.statuses.end()) return;
  auto next = next_segment(seen.facts, status->second);
  if (!next) return;
  const auto settled = end_is_settled(seen, *last);
  if (!settled) {
    actions.push_back(note_end(seen, *last));
  } else if (*settled) {
    actions.push_back(GoOnWithChain{*last, std::move(*next)});
  }
}

}  // namespace

std::vector<Action> duties(const Observation& seen) {
  std::vector<Action> actions;
  if (seen.queue.answered && seen.facts.outcome) {
    // A scancel failed, or an sbatch was accepted after the end: no job of the run is left in the queue for long.
    auto left = losers(seen.facts, seen.queue);
    for (auto& job : overdue_jobs(seen)) {
      if (std::find(left.begin(), left.end(), job) == left.end()) left.push_back(std::move(job));
    }
    if (!left.empty()) actions.push_back(Cancel{std::move(left)});
  }
  if (!has_duties(seen)) return actions;
  for (const auto& found : seen.found) actions.push_back(Note{event_of(found, seen.facts.standing.attempt)});
  auto late = losers(seen.facts, seen.queue);
  if (!late.empty()) actions.push_back(Cancel{std::move(late)});
  if (goes_on_with_race(seen)) actions.push_back(GoOnWithRace{});
  for (const auto& job : seen.unknown_to_slurm) {
    const JobStart start{.job = job, .restart = 0, .began = 0};
    if (noted_for(seen.facts, EventKind::unknown_to_slurm, start, seen.moment)) continue;
    actions.push_back(Note{note(seen.facts, EventKind::unknown_to_slurm, start, seen.host, seen.moment)});
  }
  add_segment(seen, actions);
  return actions;
}

Decision decide(const Observation& seen) {
  const auto& facts = seen.facts;
  Decision decision{.view = assess(facts, seen.statuses, seen.now), .actions = {}, .over = false};
  auto& [view, actions, over] = decision;
  if (!is_start_noted(facts) && observed_wait(facts)) actions.push_back(NoteStart{});
  if (view.state == RunState::unsubmitted && goes_on_with_race(seen)) {
    view.state = RunState::submitting;
    view.detail.clear();
  }
  // The process that submitted the retry is gone, and so is the time in which another rv resumes it.
  const bool cut_short = view.state == RunState::unsubmitted && !facts.being_submitted && !seen.elsewhere;
  if (cut_short && facts.earlier_end && seen.queue.answered) {
    take_earlier_end(view, facts, "it was not started again: its submission was cut short");
  }
  const bool wanted = is_wanted(seen);
  LookAtEnd look;
  if (needs_look(facts, view, wanted)) {
    const auto job = last_job(facts).value_or(JobId{});
    const auto settled = end_is_settled(seen, job);
    if (!settled) actions.push_back(note_end(seen, job));
    look = {.asked = seen.queue.answered, .job_alive = has_live_job(seen, view), .settled = settled.value_or(false)};
  }
  switch (next_step(facts, view, look, wanted)) {
    case NextStep::show:
      break;
    case NextStep::race_again: {
      auto again = forgotten_race(facts, view);
      view.state = RunState::queued;
      view.detail = view.again = "to be submitted again: " + again->why;
      actions.push_back(RaceAgain{std::move(*again)});
      break;
    }
    case NextStep::wait:
      view.state = look.job_alive ? RunState::queued : RunState::ending;
      break;
    case NextStep::end:
      over = true;
      break;
  }
  return decision;
}

}  // namespace rv::monitor
