#include "monitor/race/observer.h"

#include <algorithm>

#include "base/os/host_name.h"
#include "base/os/visibility.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/race/start_step.h"
#include "monitor/race/timed_events.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Wall = std::chrono::system_clock;

// The controller answers for a job from the moment sbatch returns; accounting may hear of it, and of its end, later.
constexpr auto trace_lag = 25s;

// A controller that could not reach slurmdbd sends it all ends since then, oldest first. What still
// counts as alive after that is one of those jobs that "sacctmgr show runaway" lists.
constexpr auto accounting_lag = 10min;

// squeue's row does not say whether the job was put back into the queue before; its record does, and accounting. While
// neither answers, the reason of the TERM stays unknown.
bool needs_record(const RunFacts& facts, const JobStatus& status) {
  const bool by_itself = status.ending == Ending::completed || status.ending == Ending::failed;
  return by_itself && facts.exit && was_terminated(facts.exit->kind);
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

// The order matters: the queue shows jobs that no journal has; then each open job is looked up in the queue, the jobs
// that are missing there in Slurm's records, and the jobs without a record are compared with the controller's restarts.
// The folders are read last, because they may have changed meanwhile.
std::vector<Observation> Observer::poll(bool ask) {
  Lookup lookup(gateway_);
  auto runs = read_runs(ask, lookup);
  const auto asked = look_up(runs, lookup);
  auto findings = findings_of(runs, asked);
  read_moved(runs, findings);
  std::vector<Observation> all;
  all.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    all.emplace_back(std::move(runs[i]), std::move(findings[i]), jobs_, machine(i));
  }
  return all;
}

Observation Observer::poll_again(std::size_t run, bool elsewhere) {
  // The queue of this poll is older than the folder says now: nothing is decided by it.
  return {RunInQueue(read_facts(runs_[run], &known_[run]), {}),
          {.unknown_to_slurm = {}, .elsewhere = elsewhere},
          jobs_,
          machine(run)};
}

ClientMachine Observer::machine(std::size_t run) const {
  return {.now = std::chrono::floor<std::chrono::seconds>(Wall::now()),
          .moment = boot_moment(),
          .host = host_,
          .lag = lags_[run]};
}

std::vector<RunInQueue> Observer::read_runs(bool ask, Lookup& lookup) {
  std::vector<RunFacts> facts;
  facts.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) facts.push_back(read_facts(runs_[i], &known_[i]));
  const auto queue = ask ? query_queue(facts, lookup) : QueueView{};
  const auto queues = by_run(queue);
  std::vector<RunInQueue> runs;
  runs.reserve(facts.size());
  for (auto& folder : facts) {
    // A command inside another run lives as long as that run's job at most.
    const auto& inside = folder.record.job.inside;
    const auto found = queues.find(inside ? inside->run : folder.record.id);
    auto own = found == queues.end() ? QueueView{} : found->second;
    own.answered = queue.answered;
    runs.emplace_back(std::move(folder), std::move(own));
  }
  return runs;
}

QueueView Observer::query_queue(const std::vector<RunFacts>& runs, Lookup& lookup) {
  // A stopped run has no job that holds its claim, but losing candidates may still be queued. The same applies to a run
  // that has ended, so rv also queries the queue for these runs, for a day after their end.
  const auto now = Wall::now();
  const bool needed = std::any_of(runs.begin(), runs.end(), [&](const RunFacts& facts) {
    return !facts.outcome || (now - facts.outcome->time < 24h && may_have_left_jobs(facts));
  });
  // Shortly after the end any of its jobs can come back, with a controller that was killed and has an older state.
  const bool useful = std::any_of(runs.begin(), runs.end(), [&](const RunFacts& facts) {
    return facts.outcome && now - facts.outcome->time < 10min;
  });
  if (!needed && !useful) return {};
  auto queue = lookup.query();
  trouble_ = needed ? queue.trouble : "";
  return queue;
}

std::set<JobKey> Observer::look_up(const std::vector<RunInQueue>& runs, Lookup& lookup) {
  std::vector<JobKey> vanished;
  for (const auto& run : runs) {
    if (!run.queue.answered) continue;
    const auto missing = find_in_queue(run);
    vanished.insert(vanished.end(), missing.begin(), missing.end());
  }
  return ask_about(vanished, lookup);
}

std::vector<SlurmFindings> Observer::findings_of(const std::vector<RunInQueue>& runs, const std::set<JobKey>& asked) {
  std::vector<SlurmFindings> findings(runs.size());
  Controller controller;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].queue.answered) continue;
    findings[i].elsewhere = is_elsewhere(runs[i].facts, controller);
    findings[i].unknown_to_slurm = settle_unknown_to_slurm(runs[i], asked, controller);
  }
  find_ended_steps(runs, findings);
  return findings;
}

void Observer::find_ended_steps(const std::vector<RunInQueue>& runs, std::vector<SlurmFindings>& findings) {
  std::optional<slurm::QueryResult<std::vector<slurm::StepRow>>> steps;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& facts = runs[i].facts;
    const bool in_step = facts.record.job.inside && facts.claim && !facts.claim->by_stop;
    if (!in_step || facts.exit || facts.outcome || !runs[i].queue.answered) continue;
    if (!steps) steps = gateway_.my_steps();
    if (!*steps) return;
    const auto& list = *steps->value;
    findings[i].step_ended = std::none_of(list.begin(), list.end(), [&](const auto& step) {
      return step.job == facts.claim->job && step.name == step_name(facts.record);
    });
  }
}

void Observer::read_moved(std::vector<RunInQueue>& runs, const std::vector<SlurmFindings>& findings) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto& run = runs[i];
    if (!run.queue.answered || run.facts.outcome) continue;
    if (!findings[i].step_ended && !may_have_moved(run.facts)) continue;
    run = RunInQueue(read_facts(runs_[i], &known_[i]), std::move(run.queue));
  }
}

std::vector<JobKey> Observer::find_in_queue(const RunInQueue& run) {
  std::vector<JobKey> missing;
  for (const auto& key : open_jobs(run.facts)) {
    const auto* row = run.queue.find(key);
    if (row != nullptr && !is_revoked(status_of(*row))) {
      const auto& status = jobs_.statuses[key] = status_of(*row);
      const bool alive = status.phase != Phase::ended && status.phase != Phase::unknown;
      if (alive) jobs_.alive[key] = {.moment = boot_moment(), .time = Wall::now()};
      if (needs_record(run.facts, status)) missing.push_back(key);
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
    jobs_.statuses[key] = status;
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

namespace {

void end_unknown(JobStatus& status, Ending ending) {
  status.ending = ending;
  status.phase = Phase::ended;
  status.unknown_to_slurm = status.alive_in_accounting = status.cancelled_by_nobody = false;
}

}  // namespace

std::vector<JobId> Observer::settle_unknown_to_slurm(const RunInQueue& run, const std::set<JobKey>& asked,
                                                     Controller& controller) {
  const auto& facts = run.facts;
  std::vector<JobId> unknown;
  for (const auto& key : open_jobs(facts)) {
    if (run.queue.find(key) != nullptr) continue;  // the controller has it, and did not answer about its record
    const auto found = jobs_.statuses.find(key);
    if (found == jobs_.statuses.end() || !found->second.unknown_to_slurm || !asked.contains(key)) continue;
    if (facts.record.cluster.empty()) {
      if (found->second.cancelled_by_nobody) end_unknown(found->second, Ending::cancelled);
      continue;
    }
    unknown.push_back(key.id);
    const auto now = boot_moment();
    const auto noted =
        time_since_event(facts, EventKind::unknown_to_slurm, {.job = key.id, .restart = 0, .began = 0}, now);
    if (!noted || *noted < trace_lag) continue;
    if (!controller) controller = gateway_.controller();
    if (!*controller) return unknown;
    const auto known = jobs_.alive.find(key);
    const auto sighting = known != jobs_.alive.end() ? std::optional(known->second) : submission_of(facts, key.id);
    const auto unknown_since = BootMoment{now.boot, now.seconds - noted->count()};
    auto ending = ending_of_unknown(*controller->value, facts.record.cluster, sighting, unknown_since);
    if (!ending) continue;
    if (ending == Ending::purged) {
      if (found->second.alive_in_accounting && *noted < accounting_lag) continue;  // its end may come late
      if (found->second.cancelled_by_nobody) ending = Ending::cancelled;
    }
    end_unknown(found->second, *ending);
  }
  return unknown;
}

bool Observer::is_elsewhere(const RunFacts& facts, Controller& controller) {
  const auto& cluster = facts.record.cluster;
  if (cluster.empty() || facts.outcome || !has_unsubmitted(facts)) return false;
  if (cluster_.empty()) {
    if (!controller) controller = gateway_.controller();
    if (*controller) cluster_ = controller->value->cluster_name.text();
  }
  // No answer is not permission. The race can go on at the next poll, once the cluster is known.
  return planner::DatabaseName(cluster_) != planner::DatabaseName(cluster);
}

bool Observer::may_have_moved(const RunFacts& facts) const {
  if (facts.record.job.chain) return true;  // its duties are done with what is new
  const auto keys = open_jobs(facts);
  const bool begun = facts.claim && facts.has_started();
  return keys.empty() || std::any_of(keys.begin(), keys.end(), [&](const JobKey& key) {
           const auto status = jobs_.statuses.find(key);
           if (status == jobs_.statuses.end()) return true;
           const auto phase = status->second.phase;
           const bool waits = phase == Phase::pending || phase == Phase::held;
           return !waits && !(phase == Phase::running && begun);
         });
}

}  // namespace rv::monitor
