#include "monitor/jobs/start_estimate.h"

#include <algorithm>

#include "base/walltime.h"
#include "planner/slurm_words/job_reason.h"

namespace rv::monitor {
namespace {

std::string from_now(TimePoint time, TimePoint now) {
  const auto span = std::max(std::chrono::seconds(0), std::chrono::seconds(time - now));
  return format_duration(std::chrono::ceil<std::chrono::minutes>(span));
}

}  // namespace

std::optional<StartEstimate> estimate_start(const RunView& view, TimePoint created, TimePoint now) {
  if (view.state != RunState::queued || view.winner) return std::nullopt;
  std::optional<StartEstimate> start;
  std::optional<TimePoint> at_first;
  const auto consider = [&](const StartEstimate& said) {
    if (said.time > now && (!start || said.time < start->time)) start = said;
  };
  for (const auto& candidate : view.candidates) {
    const auto& wait = candidate.candidate.wait;
    if (wait.p50 && (!at_first || created + *wait.p50 < *at_first)) at_first = created + *wait.p50;
    // A held job starts when somebody lets it, and what is planned for it means nothing.
    if (!candidate.status || candidate.status->phase != Phase::pending) continue;
    if (candidate.status->start) {
      consider(
          {.time = *candidate.status->start, .basis = "Slurm's plan", .earliest = {}, .latest = {}, .at_first = {}});
    }
    // Nothing is known about a reason that has no row: what was predicted may not hold.
    if (!wait.p50 || !planner::job_reason(candidate.status->reason).known()) continue;
    StartEstimate predicted{
        .time = created + *wait.p50, .basis = "predicted at submission", .earliest = {}, .latest = {}, .at_first = {}};
    if (wait.p10 && wait.p90) {
      predicted.earliest = std::max(now, created + *wait.p10);
      predicted.latest = created + *wait.p90;
    }
    consider(predicted);
  }
  if (start && at_first && start->time - *at_first > std::chrono::minutes(1)) start->at_first = at_first;
  return start;
}

std::string in_words(const StartEstimate& start, TimePoint now) {
  std::string text = "in about " + from_now(start.time, now) + " (";
  if (start.earliest && start.latest) {
    text += from_now(*start.earliest, now) + " to " + from_now(*start.latest, now) + ", ";
  }
  text += start.basis;
  if (start.at_first) {
    text += *start.at_first > now ? "; first prediction: in " + from_now(*start.at_first, now)
                                  : "; first prediction: " + from_now(now, *start.at_first) + " ago";
  }
  return text + ")";
}

}  // namespace rv::monitor
