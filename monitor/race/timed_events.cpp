#include "monitor/race/timed_events.h"

#include <algorithm>

#include "shared/documents/json_integer.h"

namespace rv::monitor {

JobStart last_start(const RunFacts& facts, JobId job, const std::map<JobId, JobStatus>& statuses) {
  JobStart start{.job = job, .restart = 0, .began = 0};
  if (facts.standing.start && facts.standing.start->job == job) start.restart = facts.standing.start->restart;
  const auto status = statuses.find(job);
  if (status != statuses.end() && status->second.start) start.began = status->second.start->time_since_epoch().count();
  return start;
}

void put_moment(nlohmann::json& more, const BootMoment& moment) {
  more["boot"] = moment.boot;
  more["uptime"] = moment.seconds;
}

BootMoment moment_of(const Event& event) {
  return {.boot = event.more.value("boot", std::string("none on record")),
          .seconds = integer_or(event.more, "uptime", std::int64_t{0})};
}

std::optional<std::chrono::seconds> time_since_event(const RunFacts& facts, EventKind kind, const JobStart& start,
                                                     const BootMoment& now) {
  for (const auto& event : facts.events) {
    if (event.name != kind || event.job.value_or(JobId{}) != start.job) continue;
    if (integer_or(event.more, "restart", 0) != start.restart) continue;
    if (integer_or(event.more, "began", std::int64_t{0}) != start.began) continue;
    if (const auto time = elapsed(moment_of(event), now)) return time;
  }
  return std::nullopt;
}

Event timed_event(const RunFacts& facts, EventKind kind, const JobStart& start, const std::string& host,
                  const BootMoment& now) {
  Event event{
      .time = {}, .name = kind, .candidate = 0, .job = {}, .attempt = facts.standing.attempt, .more = {{"host", host}}};
  put_moment(event.more, now);
  if (start.job == JobId{}) return event;
  event.job = start.job;
  event.more["restart"] = start.restart;
  event.more["began"] = start.began;
  return event;
}

}  // namespace rv::monitor
