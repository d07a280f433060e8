#include "monitor/race/found_jobs.h"

#include <algorithm>

#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/run_view.h"

namespace rv::monitor {

std::vector<FoundJob> unrecorded_jobs(const RunFacts& facts, const QueueView& queue) {
  std::vector<FoundJob> found;
  if (facts.claim || facts.record.job.array) return found;
  const auto journals = journals_of(facts);
  for (const auto& row : live_jobs(facts, queue)) {
    for (const auto& candidate : facts.record.candidates) {
      const auto& journal = journals[static_cast<std::size_t>(candidate.number - 1)];
      // Who submits is still about to write the ID down itself.
      if (row.name != facts.job_name(candidate) || !journal.job || facts.being_submitted) continue;
      if (std::find(journal.jobs.begin(), journal.jobs.end(), row.id) != journal.jobs.end()) continue;
      found.push_back({candidate.number, row.id});
    }
  }
  return found;
}

Event event_of(const FoundJob& found, int attempt) {
  return {.time = {},
          .name = EventKind::found,
          .candidate = found.candidate,
          .job = found.job,
          .attempt = attempt,
          .more = nlohmann::json::object()};
}

}  // namespace rv::monitor
