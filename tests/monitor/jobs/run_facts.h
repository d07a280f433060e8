// Facts of runs for the tests of their views: a race, its jobs and what Slurm reports of them.
#pragma once

#include <map>
#include <string>

#include "monitor/jobs/run_view.h"

namespace rv::monitor::test {

inline TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

inline RunFacts race_of(int candidates, bool hold = false) {
  RunFacts facts;
  facts.record.id = "k3f9x2";
  facts.record.job.hold = hold;
  for (int i = 1; i <= candidates; ++i) {
    Candidate candidate;
    candidate.number = i;
    candidate.job_name = "x@k3f9x2." + std::to_string(i);
    candidate.summary = "way " + std::to_string(i);
    facts.record.candidates.push_back(candidate);
  }
  return facts;
}

inline void add(RunFacts& facts, EventKind kind, int candidate, unsigned job = 0,
                nlohmann::json more = nlohmann::json::object()) {
  Event event{.time = at(1), .name = kind, .candidate = candidate, .job = std::nullopt, .more = std::move(more)};
  if (job != 0) event.job = JobId{job};
  facts.events.push_back(std::move(event));
}

inline void submitted(RunFacts& facts, int candidate, unsigned job) {
  add(facts, EventKind::intent, candidate);
  add(facts, EventKind::submitted, candidate, job);
}

inline void claimed(RunFacts& facts, int candidate, unsigned job) {
  facts.claim = Claim{.by_stop = false, .candidate = candidate, .job = JobId{job}, .node = "n1", .time = at(2)};
  add(facts, EventKind::claimed, candidate, job, {{"nodes", "n[1-2]"}});
}

inline void started(RunFacts& facts) {
  facts.standing.start = Entry{};
}

inline slurm::QueueRow row(unsigned job, const char* state, const std::string& name, const char* reason = "None") {
  slurm::QueueRow r;
  r.id = JobId{job};
  r.state = state;
  r.reason = reason;
  r.name = name;
  return r;
}

inline std::map<JobId, JobStatus> slurm_says(std::initializer_list<std::pair<unsigned, const char*>> words) {
  std::map<JobId, JobStatus> statuses;
  for (const auto& [job, word] : words) {
    auto& status = statuses[JobId{job}] = status_of(row(job, word, ""));
    status.restarts = 0;
  }
  return statuses;
}

}  // namespace rv::monitor::test
