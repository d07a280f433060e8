#include "client_decision.h"

#include <algorithm>
#include <cstring>
#include <variant>

#include "monitor/diagnosis/diagnosis.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/race/reconcile.h"
#include "monitor/race/timed_events.h"

namespace protocol {

using namespace rv;
using namespace rv::monitor;

namespace {

const char* word_of(Slurm slurm) {
  switch (slurm) {
    case Slurm::pending:
      return "PENDING";
    case Slurm::running:
      return "RUNNING";
    case Slurm::completed:
      return "COMPLETED";
    case Slurm::failed:
      return "FAILED";
    case Slurm::cancelled:
      return "CANCELLED";
    case Slurm::timeout:
      return "TIMEOUT";
    case Slurm::node_failed:
      return "NODE_FAIL";
    case Slurm::suspended:
      return "SUSPENDED";
    case Slurm::none:
    case Slurm::refused:
    case Slurm::forgotten:
    case Slurm::unknown:
      break;
  }
  return "";
}

// In place of the answers that observer.cpp has from squeue, scontrol and sacct.
JobStatus status_in(Slurm slurm) {
  JobStatus status;
  if (slurm == Slurm::forgotten) {
    status.phase = Phase::ended;
    status.ending = Ending::forgotten;
  } else if (slurm != Slurm::none && slurm != Slurm::refused && slurm != Slurm::unknown) {
    rv::slurm::QueueRow row;
    row.state = word_of(slurm);
    status = status_of(row);
    if (status.phase == Phase::ended) status.restarts = 0;
  }
  return status;
}

// When the run was made, which is now: nothing goes by the clock here.
constexpr int made = 2000;

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

}  // namespace

ClientDecisions::ClientDecisions(const DecisionSetting& setting, const LedgerBook& book)
    : setting_(setting), book_(book) {
  record_.id = "k3f9x2";
  record_.job.requeue = setting.requeue;
  if (setting.retries > 0) record_.job.retries = {.most = setting.retries, .on = {}};
  record_.created = at(made);
  for (int number = 1; number <= setting.candidates; ++number) {
    Candidate candidate;
    candidate.number = number;
    candidate.job_name = "x@k3f9x2." + std::to_string(number);
    record_.candidates.push_back(std::move(candidate));
  }
}

RunFacts ClientDecisions::facts(const Sight& sight) const {
  std::vector<Event> of_clients, of_jobs;
  const auto add = [&](std::vector<Event>& events, EventKind kind, const Job& job, std::optional<JobId> id) {
    events.push_back({.time = at(1000), .name = kind, .candidate = job.candidate, .job = id, .attempt = job.attempt});
  };
  int attempts = 1;
  for (std::size_t i = 0; i < max_jobs; ++i) {
    const auto& job = sight.jobs[i];
    if (job.slurm == Slurm::none) continue;
    attempts = std::max<int>(attempts, job.attempt);
    add(of_clients, EventKind::intent, job, std::nullopt);
    if (job.slurm == Slurm::refused) {
      add(of_clients, EventKind::refused, job, std::nullopt);
      of_clients.back().more = {{"message", "no"}};
      continue;
    }
    if (job.flags & line_submitted) add(of_clients, EventKind::submitted, job, id_of(i));
    if (!sight.lines_of_jobs) continue;
    if (job.flags & line_claimed) add(of_jobs, EventKind::claimed, job, id_of(i));
    if (job.flags & line_yielded) add(of_jobs, EventKind::yielded, job, id_of(i));
  }
  // Later attempts have one candidate here: what it takes to find a second one is found in the first attempt.
  for (int attempt = 2; attempt <= attempts + 1; ++attempt) {
    for (int number = 2; number <= setting_.candidates; ++number) {
      of_clients.push_back({.time = at(1000),
                            .name = EventKind::refused,
                            .candidate = number,
                            .job = {},
                            .attempt = attempt,
                            .more = {{"message", "no"}}});
    }
  }
  auto& first = setting_.clocks_behind ? of_jobs : of_clients;
  auto& second = setting_.clocks_behind ? of_clients : of_jobs;
  first.insert(first.end(), second.begin(), second.end());
  auto facts = facts_of(record_, book_.entries(sight.ledger), {}, std::move(first));
  if (setting_.copies && facts.exit) {
    const bool marked = facts.standing.exit->token == std::to_string(sight.copied) && sight.lines_of_jobs;
    facts.copies = {.announced = 1, .copied = marked ? 1 : 0, .failed = 0};
  }
  return facts;
}

// begun_by_events: a start counts where its line has come, and sorts after the claim.
void ClientDecisions::forget_start(RunFacts& facts, const Sight& sight) const {
  if (!setting_.begun_by_events || !facts.standing.claim) return;
  const auto& job = sight.jobs[facts.standing.claim->job.number - 10];
  const bool start_is_known = (job.flags & line_started) && sight.lines_of_jobs && !setting_.clocks_behind;
  if (!start_is_known) facts.standing.start.reset();
}

// The jobs' states as the queue shows them.
QueueView ClientDecisions::queue(const Sight& sight) const {
  QueueView queue;
  queue.answered = true;
  for (std::size_t i = 0; i < max_jobs; ++i) {
    const auto& job = sight.jobs[i];
    if (!is_alive(sight.answer[i])) continue;
    rv::slurm::QueueRow row;
    row.id = id_of(i);
    row.state = word_of(sight.answer[i]);
    row.name = job_name_of(record_.candidates[job.candidate - 1U], job.attempt);
    queue.rows.push_back(std::move(row));
  }
  return queue;
}

// Replaces observer.cpp. A client follows the run.
Observation ClientDecisions::observe(const Sight& sight) const {
  RunInQueue run(facts(sight), queue(sight));
  Sight now = sight;
  for (const auto& found : run.found) now.jobs[found.job.number - 10].flags |= line_submitted;
  KnownJobs jobs;
  for (const auto& key : open_jobs(run.facts)) {
    jobs.alive[key] = {};
    auto id = key.id;
    if (setting_.winner_hidden) {
      for (std::size_t i = 0; i < max_jobs; ++i) {
        const bool same = now.jobs[i].candidate == now.jobs[id.number - 10].candidate &&
                          now.jobs[i].attempt == now.jobs[id.number - 10].attempt;
        if (same && (now.jobs[i].flags & line_yielded) && now.lines_of_jobs) id = id_of(i);
      }
      if (id != key.id) continue;  // another job is asked about
    }
    jobs.statuses[key] = status_in(sight.answer[id.number - 10]);
  }
  Observation seen(std::move(run), {}, jobs, {.now = at(made), .moment = {}, .host = {}});
  // Of a job that is pending after its exit entry the note is of an earlier poll, which there is not here.
  const bool requeued = seen.facts.copies.unfinished() &&
                        std::any_of(seen.statuses.begin(), seen.statuses.end(),
                                    [](const auto& known) { return known.second.phase == Phase::pending; });
  if (requeued) return seen;
  // That records may be late is in the ledger that is seen, which may be any beginning: each end is settled at once.
  seen.facts.events.push_back(timed_event(seen.facts, EventKind::unrecorded_end,
                                          last_start(seen.facts, last_job(seen.facts).value_or(JobId{}), seen.statuses),
                                          seen.host, seen.moment));
  return seen;
}

Decision ClientDecisions::decide(const Sight& sight) const {
  Decision decision;
  auto seen = observe(sight);
  const auto duties = reconcile(seen);
  for (const auto& action : duties.actions) {
    if (const auto* found = std::get_if<WriteEvent>(&action);
        found != nullptr && found->event.name == EventKind::found) {
      decision.found |= static_cast<std::uint8_t>(1U << (found->event.job->number - 10));
    } else if (std::holds_alternative<ResumeRace>(action)) {
      decision.submit = true;
    }
  }
  for (const auto& job : duties.cancel) decision.losers |= static_cast<std::uint8_t>(1U << (job.id.number - 10));
  forget_start(seen.facts, sight);
  const auto [view, actions, cancel, over] = reconcile(seen);
  decision.state = static_cast<std::uint8_t>(view.state);
  decision.over = over;
  decision.race_again = std::any_of(actions.begin(), actions.end(),
                                    [](const Action& action) { return std::holds_alternative<RepeatRace>(action); });
  const auto& all = seen.facts;
  if (over && may_be_worth_retrying(all, view)) {
    RunEvidence evidence;
    evidence.facts = all;
    evidence.view = view;
    if (all.claim) {
      rv::slurm::AccountingRow row;
      row.id = all.claim->job;
      row.state = word_of(sight.answer[row.id.number - 10]);
      evidence.accounting = row;
    } else if (setting_.prologs) {
      evidence.failed_prologs = {"n1"};
    }
    // A command fails here because of its hardware, unless there are retries for other failures.
    if (all.exit && all.exit->code == 7 && setting_.retries == 0) {
      evidence.logs.push_back({.file = "logs/n1.out",
                               .node = view.nodes,
                               .lines = {"NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."},
                               .first_line = 1});
    }
    const auto retry = retry_by(all, view, evidence).retry;
    decision.retry = retry.has_value();
    decision.asked = retry && retry->pause.count() > 0;
    decision.failed = static_cast<std::uint8_t>(all.claim ? all.claim->job.number - 10 + 1 : 0);
  }
  return decision;
}

namespace {

SightKey key_of(const Sight& sight, int failed = 0, int length = 0) {
  SightKey key{};
  auto* to = reinterpret_cast<char*>(key.data());
  const auto put = [&](const void* from, std::size_t size) {
    std::memcpy(to, from, size);
    to += size;
  };
  // Of a job only what a client can see of it.
  auto jobs = sight.jobs;
  for (auto& job : jobs) {
    if (job.slurm != Slurm::none && job.slurm != Slurm::refused) job.slurm = Slurm::unknown;
    job.condition = 0;
    job.flags &= sight.lines_of_jobs ? line_submitted | lines_of_job : line_submitted;
  }
  put(&sight.ledger, sizeof sight.ledger);
  put(&jobs, sizeof jobs);
  put(&sight.answer, sizeof sight.answer);
  const std::array<std::uint8_t, 4> rest = {sight.lines_of_jobs,
                                            static_cast<std::uint8_t>(sight.lines_of_jobs ? sight.copied : 0),
                                            static_cast<std::uint8_t>(failed), static_cast<std::uint8_t>(length)};
  put(&rest, sizeof rest);
  static_assert(sizeof sight.ledger + sizeof jobs + sizeof sight.answer + sizeof rest <= sizeof key);
  return key;
}

}  // namespace

Decision ClientDecisions::about(const Sight& sight) {
  const auto key = key_of(sight);
  if (const auto* known = known_.find(key)) return *known;
  return known_.add(key, decide(sight));
}

bool ClientDecisions::may_reopen(const Sight& sight, int failed, int length) {
  const auto key = key_of(sight, failed, length);
  if (const auto* known = reopened_.find(key)) return *known;
  auto all = facts(sight);
  forget_start(all, sight);
  Retry retry;
  if (failed != 0) retry.failed = id_of(static_cast<std::size_t>(failed - 1));
  retry.length = setting_.begun_by_events ? book_.length(sight.ledger) : length;
  return reopened_.add(key, retry_entry(all, retry).has_value());
}

RunState ClientDecisions::end_of_stopped(std::uint32_t ledger) const {
  const auto earlier = earlier_end_of(book_.standing(ledger));
  return earlier ? earlier->state : RunState::stopped;
}

RunState ClientDecisions::end_of_exit(std::uint32_t ledger) const {
  const auto exit = exit_record(book_.standing(ledger).exit);
  return exit && exit->code == 0 ? RunState::done : RunState::failed;
}

bool ClientDecisions::has_started(std::uint32_t ledger) {
  return book_.standing(ledger).start.has_value();
}

}  // namespace protocol
