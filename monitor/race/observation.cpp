#include "monitor/race/observation.h"

#include <algorithm>

#include "monitor/jobs/chain.h"
#include "monitor/jobs/run_jobs.h"

namespace rv::monitor {
namespace {

std::map<JobId, JobStatus> statuses_of(const RunFacts& facts, const KnownJobs& jobs, bool step_ended) {
  std::map<JobId, JobStatus> statuses;
  const auto add = [&](const std::optional<JobId>& job, int candidate) {
    if (!job) return;
    const auto name = name_in_slurm(facts, facts.record.candidates.at(static_cast<std::size_t>(candidate - 1)));
    const auto known = jobs.statuses.find({*job, name});
    if (known != jobs.statuses.end()) statuses.emplace(*job, known->second);
  };
  for (const auto& journal : journals_of(facts)) add(journal.job, journal.number);
  if (const auto last = last_job(facts)) add(last, facts.claim->candidate);
  if (step_ended && !facts.exit) {
    for (auto& [job, status] : statuses) {
      // How the whole job ends explains more than the end of its step: a lost node ends both.
      if (status.phase == Phase::ended || status.phase == Phase::completing) continue;
      status.phase = Phase::ended;
      status.step_ended = true;
    }
  }
  return statuses;
}

}  // namespace

RunInQueue::RunInQueue(RunFacts folder, QueueView run_queue) : facts(std::move(folder)), queue(std::move(run_queue)) {
  if (facts.outcome) return;
  found = unrecorded_jobs(facts, queue);
  for (const auto& job : found) facts.events.push_back(event_of(job, facts.standing.attempt));
}

Observation::Observation(RunInQueue run, SlurmFindings findings, const KnownJobs& jobs, ClientMachine machine)
    : RunInQueue(std::move(run)),
      SlurmFindings(std::move(findings)),
      ClientMachine(std::move(machine)),
      statuses(statuses_of(facts, jobs, step_ended)) {
  const auto keys = open_jobs(facts);
  followed = std::any_of(keys.begin(), keys.end(), [&](const JobKey& key) { return jobs.alive.contains(key); });
}

}  // namespace rv::monitor
