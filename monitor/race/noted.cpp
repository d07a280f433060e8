#include "monitor/race/noted.h"

#include <algorithm>

namespace rv::monitor {

std::optional<TimePoint> when_noted(const RunFacts& facts, EventKind kind, JobId job, const std::string& host) {
  const auto seen = std::find_if(facts.events.begin(), facts.events.end(), [&](const Event& event) {
    return event.name == kind && event.job.value_or(JobId{}) == job && event.more.value("host", std::string()) == host;
  });
  if (seen == facts.events.end()) return std::nullopt;
  return seen->time;
}

Event note(const RunFacts& facts, EventKind kind, JobId job, const std::string& host) {
  Event event{
      .time = {}, .name = kind, .candidate = 0, .job = {}, .attempt = facts.standing.attempt, .more = {{"host", host}}};
  if (job != JobId{}) event.job = job;
  return event;
}

}  // namespace rv::monitor
