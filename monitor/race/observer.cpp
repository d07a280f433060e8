#include "monitor/race/observer.h"

#include <algorithm>

#include "base/os/host_name.h"
#include "base/os/visibility.h"
#include "monitor/jobs/chain.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/noted.h"
#include "monitor/race/unknown_to_slurm.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Wall = std::chrono::system_clock;

// The controller answers for a job from the moment sbatch returns; accounting may hear of it, and of its end, later.
constexpr auto trace_lag = 25s;

// squeue's row does not say whether the job was put back into the queue before; its record does, and accounting. While
// neither answers, the reason of the TERM stays unknown.
bool needs_record(const RunFacts& facts, const JobStatus& status) {
  const bool by_itself = status.ending == Ending::completed || status.ending == Ending::failed;
  return by_itself && facts.exit && was_terminated(facts.exit->kind);
}

// As though they were on record already: they are put there in this poll.
void take_in_found(Observation& seen) {
  seen.found = unrecorded_jobs(seen.facts, seen.queue);
  for (const auto& found : seen.found) seen.facts.events.push_back(event_of(found, seen.facts.standing.attempt));
}

}  // namespace

Observer::Observer(slurm::Gateway& gateway, const std::vector<RunFolder>& runs, const std::vector<RunRecord>& records)
    : gateway_(gateway), runs_(runs), known_(runs.size()), host_(os::host_name()) {
  for (std::size_t i = 0; i < records.size() && i < known_.size(); ++i) known_[i].record = records[i];
  // Most runs lie on one file system.
  std::map<std::string, std::chrono::seconds> lag_of;
  for (const auto& run : runs_) {
    const auto parent = run.path().substr(0, run.path().rfind('/'));
    const auto known = lag_of.find(parent);
    lags_.push_back(known != lag_of.end() ? known->second : lag_of[parent] = os::visibility_lag(parent));
  }
}

std::vector<Observation> Observer::poll(bool ask) {
  std::vector<Observation> all(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) all[i].facts = read_facts(runs_[i], &known_[i]);
  if (ask) ask_slurm(all);
  for (std::size_t i = 0; i < runs_.size(); ++i) complete(i, all[i]);
  return all;
}

void Observer::poll_again(std::size_t run, Observation& seen) {
  seen.facts = read_facts(runs_[run], &known_[run]);
  seen.queue = {};  // older than what the folder says now: nothing is decided by it
  seen.found.clear();
  seen.unknown_to_slurm.clear();
  complete(run, seen);
}

void Observer::complete(std::size_t run, Observation& seen) const {
  const auto keys = open_jobs(seen.facts);
  seen.statuses = statuses_of(seen.facts);
  seen.followed = std::any_of(keys.begin(), keys.end(), [&](const JobKey& key) { return seen_.contains(key); });
  seen.now = std::chrono::floor<std::chrono::seconds>(Wall::now());
  seen.moment = boot_moment();
  seen.host = host_;
  seen.lag = lags_[run];
}

// The order matters: the queue shows jobs that no journal has; then each open job is looked up in the queue, the jobs
// that are missing there in Slurm's records, and the jobs without a record are compared with the controller's restarts.
// The folders are read last, because they may have changed meanwhile.
void Observer::ask_slurm(std::vector<Observation>& all) {
  // A run that is claimed by stop has no job of its own left, but may still have losers in the queue.
  // So may one that is over, for a day: whoever asks later sees them by the way.
  const auto now = Wall::now();
  const auto needed = [&](const Observation& seen) {
    const auto& outcome = seen.facts.outcome;
    return !outcome || (now - outcome->time < 24h && may_have_left_jobs(seen.facts));
  };
  // Shortly after the end any of its jobs can come back, with a controller that was killed and has an older state.
  const auto useful = [&](const Observation& seen) {
    return seen.facts.outcome && now - seen.facts.outcome->time < 10min;
  };
  const bool any = std::any_of(all.begin(), all.end(), needed);
  if (!any && std::none_of(all.begin(), all.end(), useful)) return;
  Lookup lookup(gateway_);
  const auto queue = lookup.query();
  trouble_ = any ? queue.trouble : "";
  if (!queue.answered) return;
  auto queues = by_run(queue);
  std::vector<JobKey> vanished;
  for (auto& seen : all) {
    seen.queue = std::move(queues[seen.facts.record.id]);
    seen.queue.answered = true;
    if (seen.facts.outcome) continue;
    take_in_found(seen);
    const auto missing = find_in_queue(seen);
    vanished.insert(vanished.end(), missing.begin(), missing.end());
  }
  const auto asked = ask_about(vanished, lookup);
  std::optional<slurm::Answer<slurm::ControllerIdentity>> controller;
  for (auto& seen : all) note_cluster(seen, controller);
  for (auto& seen : all) settle_unknown_to_slurm(seen, asked, controller);
  // What Slurm said may be newer than what was read from the folders: a job that has just ended has its record by now.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].facts.outcome || !may_have_moved(all[i].facts)) continue;
    all[i].facts = read_facts(runs_[i], &known_[i]);
    take_in_found(all[i]);
  }
}

std::vector<JobKey> Observer::find_in_queue(const Observation& seen) {
  std::vector<JobKey> missing;
  for (const auto& key : open_jobs(seen.facts)) {
    const auto* row = seen.queue.find(key);
    if (row != nullptr && !is_revoked(status_of(*row))) {
      const auto& status = statuses_[key] = status_of(*row);
      const bool alive = status.phase != Phase::ended && status.phase != Phase::unknown;
      if (alive) seen_[key] = {.moment = boot_moment(), .time = Wall::now()};
      if (needs_record(seen.facts, status)) missing.push_back(key);
    } else {
      missing.push_back(key);
    }
  }
  return missing;
}

std::set<JobKey> Observer::ask_about(const std::vector<JobKey>& vanished, Lookup& lookup) {
  constexpr auto longest_wait = 5min;
  std::vector<JobKey> due;
  const auto at = Clock::now();
  for (const auto& key : vanished) {
    const auto asked = unknown_.find(key);
    if (asked == unknown_.end() || at >= asked->second.next) due.push_back(key);
  }
  std::set<JobKey> asked;
  if (due.empty()) return asked;
  for (const auto& [key, status] : lookup.vanished(due)) {
    asked.insert(key);
    statuses_[key] = status;
    if (status.phase != Phase::unknown) {
      unknown_.erase(key);
      continue;
    }
    auto& patience = unknown_[key];
    patience.next = at + patience.wait;
    patience.wait = std::min<std::chrono::seconds>(patience.wait * 2, longest_wait);
  }
  return asked;
}

void Observer::settle_unknown_to_slurm(Observation& seen, const std::set<JobKey>& asked,
                                       std::optional<slurm::Answer<slurm::ControllerIdentity>>& controller) {
  const auto& facts = seen.facts;
  if (facts.record.cluster.empty()) return;
  for (const auto& key : open_jobs(facts)) {
    if (seen.queue.find(key) != nullptr) continue;  // the controller has it, and did not answer about its record
    const auto found = statuses_.find(key);
    if (found == statuses_.end() || !found->second.unknown_to_slurm || !asked.contains(key)) continue;
    seen.unknown_to_slurm.push_back(key.id);
    const auto now = boot_moment();
    const auto noted =
        time_since_noted(facts, EventKind::unknown_to_slurm, {.job = key.id, .restart = 0, .began = 0}, now);
    if (!noted || *noted < trace_lag) continue;
    if (!controller) controller = gateway_.controller();
    if (!*controller) return;
    const auto known = seen_.find(key);
    const auto sighting = known != seen_.end() ? std::optional(known->second) : submission_of(facts, key.id);
    const auto unknown_since = BootMoment{now.boot, now.seconds - noted->count()};
    found->second.ending = ending_of_unknown(*controller->value, facts.record.cluster, sighting, unknown_since);
    if (!found->second.ending) continue;
    found->second.phase = Phase::ended;
    found->second.unknown_to_slurm = false;
  }
}

void Observer::note_cluster(Observation& seen, std::optional<slurm::Answer<slurm::ControllerIdentity>>& controller) {
  const auto& cluster = seen.facts.record.cluster;
  if (cluster.empty() || seen.facts.outcome || !has_unsubmitted(seen.facts)) return;
  if (cluster_.empty()) {
    if (!controller) controller = gateway_.controller();
    if (*controller) cluster_ = controller->value->cluster_name.text();
  }
  // No answer is not permission. The race can go on at the next poll, once the cluster is known.
  seen.elsewhere = planner::DatabaseName(cluster_) != planner::DatabaseName(cluster);
}

bool Observer::may_have_moved(const RunFacts& facts) const {
  if (facts.record.job.chain) return true;  // its duties are done with what is new
  const auto keys = open_jobs(facts);
  const bool begun = facts.claim && facts.has_started();
  return keys.empty() || std::any_of(keys.begin(), keys.end(), [&](const JobKey& key) {
           const auto status = statuses_.find(key);
           if (status == statuses_.end()) return true;
           const auto phase = status->second.phase;
           const bool waits = phase == Phase::pending || phase == Phase::held;
           return !waits && !(phase == Phase::running && begun);
         });
}

std::map<JobId, JobStatus> Observer::statuses_of(const RunFacts& facts) const {
  std::map<JobId, JobStatus> statuses;
  const auto add = [&](const std::optional<JobId>& job, int candidate) {
    if (!job) return;
    const auto& name = facts.job_name(facts.record.candidates.at(static_cast<std::size_t>(candidate - 1)));
    const auto known = statuses_.find({*job, name});
    if (known != statuses_.end()) statuses.emplace(*job, known->second);
  };
  for (const auto& journal : journals_of(facts)) add(journal.job, journal.number);
  if (const auto last = last_job(facts)) add(last, facts.claim->candidate);
  return statuses;
}

}  // namespace rv::monitor
