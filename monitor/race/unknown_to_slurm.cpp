#include "monitor/race/unknown_to_slurm.h"

#include <algorithm>

#include "monitor/diagnosis/retry_decision.h"
#include "monitor/race/timed_events.h"

namespace rv::monitor {

std::optional<Sighting> submission_of(const RunFacts& facts, JobId job) {
  for (const auto& event : facts.events) {
    if (event.name == EventKind::submitted && event.job == job) {
      return Sighting{.moment = moment_of(event), .time = event.time};
    }
  }
  return std::nullopt;
}

std::optional<Ending> ending_of_unknown(const slurm::ControllerIdentity& controller, const std::string& cluster,
                                        const std::optional<Sighting>& last, const BootMoment& unknown_since) {
  if (cluster.empty() || controller.cluster_name != planner::DatabaseName(cluster)) return std::nullopt;
  const auto unseen = last ? elapsed(last->moment, unknown_since) : std::nullopt;
  const bool came_up_since = last && controller.boot_time && *controller.boot_time >= last->time;
  const bool would_be_kept = unseen && *unseen < controller.min_job_age;
  return came_up_since && would_be_kept ? Ending::forgotten : Ending::purged;
}

std::optional<Retry> forgotten_race(const RunFacts& facts, const RunView& view) {
  if (facts.claim || facts.exit || facts.outcome || facts.being_submitted || facts.record.job.array)
    return std::nullopt;
  if (!may_retry(facts.standing, std::nullopt, rules_of(facts.record))) return std::nullopt;
  std::string jobs;
  for (const auto& candidate : view.candidates) {
    if (!candidate.journal.job) continue;
    const auto& status = candidate.status;
    if (!status || status->phase != Phase::ended || status->ending != Ending::forgotten) return std::nullopt;
    jobs += (jobs.empty() ? "" : ", ") + slurm::to_string(*candidate.journal.job);
  }
  if (jobs.empty()) return std::nullopt;
  const auto history = retry_history(facts, view);
  if (history.retries >= most_hardware_retries) return std::nullopt;
  return Retry{.failed = std::nullopt,
               .ids_return = true,
               .length = facts.standing.length,
               .exclude = history.excluded,
               .why = "the controller restarted without its jobs (" + jobs + ")",
               .elements = {},
               .end = facts.earlier_end};
}

std::optional<TimePoint> last_submission(const RunFacts& facts) {
  std::optional<TimePoint> last;
  for (const auto& event : facts.events) {
    const bool submission =
        event.name == EventKind::submitted || event.name == EventKind::found || event.name == EventKind::next;
    if (submission) last = std::max(last.value_or(event.time), event.time);
  }
  return last;
}

}  // namespace rv::monitor
