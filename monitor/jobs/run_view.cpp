#include "monitor/jobs/run_view.h"

#include "base/walltime.h"
#include "monitor/jobs/chain.h"
#include "monitor/jobs/claimed_run.h"
#include "monitor/jobs/ended_run.h"
#include "monitor/jobs/output_copy.h"
#include "monitor/jobs/racing_run.h"
#include "monitor/jobs/run_assessment.h"
#include "shared/documents/json_integer.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

void add_start_and_warnings(RunAssessment& run) {
  // The job of a run that follows another looks at that one first, and may end there.
  const bool never_began =
      run.facts.exit && (run.facts.exit->kind == ExitKind::predecessor || run.facts.exit->kind == ExitKind::unqueued);
  if (run.facts.claim && !run.facts.claim->by_stop && !never_began) {
    run.view.winner = run.facts.claim->candidate;
    run.view.started = run.facts.claim->time;
    run.view.nodes = run.facts.claim->node;
    // The job of another run may have more nodes than the command's.
    const auto* event = run.facts.record.job.inside ? nullptr : last_event(run.facts, EventKind::claimed);
    if (event != nullptr) run.view.nodes = event->more.value("nodes", run.view.nodes);
  }
  for (const auto& event : run.facts.events) {
    if (event.name == EventKind::wrong_gpu) {
      run.view.warnings.push_back("asked for " + event.more.value("asked", std::string("?")) + ", got " +
                                  event.more.value("got", std::string("?")) + " on " +
                                  event.more.value("node", std::string("?")));
    } else if (event.name == EventKind::missing_gpu) {
      run.view.warnings.push_back("asked for " + std::to_string(integer_or(event.more, "asked", 0)) +
                                  " GPUs per node, " + event.more.value("node", std::string("?")) + " shows " +
                                  std::to_string(integer_or(event.more, "got", 0)));
    }
  }
}

/// A stall that has not been followed by progress.
void add_stall(RunAssessment& run) {
  const Event* stalled = nullptr;
  for (const auto& event : run.facts.events) {
    if (event.name == EventKind::stalled) stalled = &event;
    if (event.name == EventKind::progress) stalled = nullptr;
  }
  if (stalled == nullptr) return;
  const auto suspect = stalled->more.value("suspect", std::string());
  run.view.warnings.push_back(
      "no progress for " +
      format_duration(std::chrono::seconds(integer_or(stalled->more, "silent_s", std::int64_t{0}))) + " at " +
      utc_time(stalled->time) + (suspect.empty() ? "" : "; " + suspect) + "; evidence: stall/ in the run folder");
}

/// The candidate of this number, from 1; nullptr without a number.
template <class T>
const T* numbered(const std::vector<T>& candidates, std::optional<int> number) {
  if (!number || *number < 1 || static_cast<std::size_t>(*number) > candidates.size()) return nullptr;
  return &candidates[static_cast<std::size_t>(*number - 1)];
}

void measure_chain(RunAssessment& run) {
  const auto* status = run.winner_status();
  const bool alive = status != nullptr && (status->phase == Phase::running || status->phase == Phase::suspended);
  ChainView chain{.segments = run.facts.segments,
                  .total = run.facts.record.job.chain->total,
                  .used = time_used(run.facts.segments, run.now, alive),
                  .used_su = std::nullopt};
  const auto* winner = winner_of(run.facts.record, run.view);
  if (winner != nullptr && winner->su_per_hour) {
    const double hours = std::chrono::duration<double, std::ratio<3600>>(chain.used).count();
    chain.used_su = *winner->su_per_hour * hours;
  }
  run.view.chain = std::move(chain);
}

void measure_array(RunAssessment& run) {
  run.view.array = ArrayView{run.facts.elements, run.facts.record.job.array->elements};
  for (const auto& element : run.facts.elements) {
    if (element.exit) run.view.log_sizes.insert(element.exit->log_sizes.begin(), element.exit->log_sizes.end());
  }
}

}  // namespace

void take_earlier_end(RunView& view, const RunFacts& facts, const std::string& why) {
  const auto& end = *facts.earlier_end;
  view.state = end.state;
  view.exit_code = end.exit_code;
  view.detail = end.detail + "; " + why;
  view.ended = end.time;
}

const CandidateView* winner_of(const RunView& view) {
  return numbered(view.candidates, view.winner);
}

const Candidate* winner_of(const RunRecord& record, const RunView& view) {
  return numbered(record.candidates, view.winner);
}

RunView assess(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now) {
  RunAssessment run(facts, statuses, now);
  RunView& view = run.view;
  add_start_and_warnings(run);
  add_stall(run);
  view.retry = retry_record(facts.standing);
  view.preflight = last_preflight(facts.events);
  view.used = facts.used;
  if (facts.record.job.chain) measure_chain(run);
  if (facts.record.job.array) measure_array(run);
  if (facts.outcome) {
    view.state = facts.outcome->state;
    view.detail = facts.outcome->detail;
    view.exit_code = facts.outcome->exit_code;
    view.ended = facts.outcome->time;
  } else if (facts.exit) {
    assess_end(run, *facts.exit);
  } else if (facts.claim && facts.claim->by_stop) {
    if (facts.earlier_end) {
      take_earlier_end(view, facts, "stopped before it was started again");
    } else {
      view.state = RunState::stopped;
      view.detail = "stopped before it started";
      view.ended = facts.claim->time;
    }
  } else if (facts.claim) {
    assess_claimed(run);
  } else {
    assess_race(run);
  }
  if (facts.copies.announced > 0 && is_final(view.state)) assess_copy(run);
  return std::move(view);
}

std::optional<std::chrono::seconds> time_limit_of(const RunView& view) {
  const auto* winner = winner_of(view);
  if (winner == nullptr || view.chain || view.array) return std::nullopt;
  const auto submitted = winner->candidate.time_limit;
  if (submitted.count() <= 0) return std::nullopt;
  const bool known = winner->status && winner->status->time_limit;
  return known ? *winner->status->time_limit : submitted;
}

std::optional<TimePoint> ends_by(const RunView& view) {
  const auto limit = time_limit_of(view);
  // A requeued job has a start, and waits for the next one.
  if (!limit || !view.started || is_final(view.state) || view.state == RunState::queued) return std::nullopt;
  const auto& status = winner_of(view)->status;
  return status && status->ends_by ? *status->ends_by : *view.started + *limit;
}

}  // namespace rv::monitor
