#include "monitor/jobs/racing_run.h"

#include <algorithm>

#include "base/walltime.h"
#include "monitor/jobs/state_of_ending.h"
#include "planner/slurm_words/job_reason.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

std::string starting_detail(const RunView& view) {
  for (const auto& c : view.candidates) {
    if (c.status && (c.status->phase == Phase::running || c.status->phase == Phase::configuring)) {
      return c.candidate.summary + " on " + c.status->node_list;
    }
  }
  return "";
}

/// Slurm's clock and ours may differ, and Slurm starts a job some seconds after its begin time.
bool is_held_back(const RunView& view) {
  return std::any_of(view.candidates.begin(), view.candidates.end(), [](const CandidateView& c) {
    return c.status && c.status->phase == Phase::pending && c.status->reason == "BeginTime";
  });
}

/// The pause before a retry, until Slurm lets the job start.
std::string pause_detail(const RunAssessment& run) {
  const auto& retry = run.view.retry;
  const auto& asked = run.facts.record.job.retries;
  const bool waits = retry && retry->begins > run.now;
  if (!retry || !asked || (!waits && (retry->pause.count() == 0 || !is_held_back(run.view)))) return "";
  const auto attempt = "retry " + std::to_string(retry->asked) + " of " + std::to_string(asked->most);
  return attempt + (waits ? " in " + format_duration(retry->begins - run.now) + ", at " : " starts at ") +
         local_time(retry->begins) + ": " + retry->why;
}

std::string queued_detail(const RunAssessment& run) {
  if (auto pause = pause_detail(run); !pause.empty()) return pause;
  const auto& view = run.view;
  for (const auto& c : view.candidates) {
    if (c.status && (c.status->phase == Phase::pending || c.status->phase == Phase::held)) {
      return c.candidate.summary + ": " + planner::job_reason(c.status->reason).words;
    }
  }
  return "";
}

// Every job ended and none passed the gate.
void never_started(RunAssessment& run) {
  const auto found = std::find_if(run.view.candidates.begin(), run.view.candidates.end(),
                                  [](const CandidateView& c) { return c.status && c.status->phase == Phase::ended; });
  const auto ending = found->status->ending.value_or(Ending::failed);
  const std::string job = "job " + slurm::to_string(*found->journal.job) + " " + std::string(in_words(ending));
  if (run.facts.earlier_end) {
    return take_earlier_end(
        run.view, run.facts,
        run.facts.stop_requested ? "stopped before it was started again" : job + " before it was started again");
  }
  run.finish(state_of_ending(ending), job + " before the run started");
}

// A command inside another run, before it has the GPUs that it waits for there.
void wait_inside(RunAssessment& run, const std::string& host) {
  const auto& candidate = run.view.candidates.front();
  if (!candidate.journal.refusal.empty()) return run.finish(RunState::refused, candidate.journal.refusal);
  if (!run.facts.being_submitted) return run.finish(RunState::unsubmitted, "its start in run " + host + " was cut off");
  run.finish(RunState::queued, "waits for " + candidate.candidate.summary + " in run " + host);
}

}  // namespace

void assess_race(RunAssessment& run) {
  if (const auto& inside = run.facts.record.job.inside) return wait_inside(run, inside->run);
  const auto count = [&](auto&& condition) {
    return std::count_if(run.view.candidates.begin(), run.view.candidates.end(), condition);
  };
  const auto in_phase = [&](Phase phase) {
    return [phase](const CandidateView& c) { return c.status && c.status->phase == phase; };
  };
  const auto total = static_cast<std::ptrdiff_t>(run.view.candidates.size());
  const auto jobs = count([](const CandidateView& c) { return c.journal.job.has_value(); });
  const auto refused = count([](const CandidateView& c) { return !c.journal.refusal.empty(); });
  if (count(in_phase(Phase::running)) + count(in_phase(Phase::configuring)) > 0) {
    return run.finish(RunState::starting, starting_detail(run.view));
  }
  if (count(in_phase(Phase::pending)) + count(in_phase(Phase::held)) + count(in_phase(Phase::suspended)) > 0) {
    return run.finish(RunState::queued, queued_detail(run));
  }
  if (refused == total && total > 0) {
    const auto& words = run.view.candidates.front().journal.refusal;
    if (run.facts.earlier_end) return take_earlier_end(run.view, run.facts, "it could not be started again: " + words);
    return run.finish(RunState::refused, words);
  }
  if (jobs == 0) {
    if (run.facts.stop_requested && run.facts.earlier_end && !run.facts.being_submitted) {
      return take_earlier_end(run.view, run.facts, "stopped before it was started again");
    }
    const auto silent = std::find_if(run.view.candidates.begin(), run.view.candidates.end(),
                                     [](const CandidateView& c) { return c.journal.unanswered > 0; });
    const std::string wait =
        silent == run.view.candidates.end() ? "" : "sbatch does not answer: " + silent->journal.no_answer;
    return run.facts.being_submitted ? run.finish(RunState::submitting, wait)
                                     : run.finish(RunState::unsubmitted, "no candidate has been accepted yet");
  }
  const auto ended = count(in_phase(Phase::ended));
  if (ended == jobs && !run.facts.being_submitted) return never_started(run);
  // Accepted, and Slurm was not queried yet, or did not answer.
  run.finish(count(in_phase(Phase::unknown)) == jobs ? RunState::unknown : RunState::queued,
             std::to_string(jobs) + (jobs == 1 ? " candidate" : " candidates") + " submitted");
}

}  // namespace rv::monitor
