#include "monitor/race/watcher.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/os/detached_process.h"
#include "base/os/visibility.h"
#include "monitor/race/next_step.h"
#include "monitor/race/retry_run.h"
#include "monitor/race/submit_segment.h"
#include "monitor/race/unknown_to_slurm.h"
#include "monitor/run/observed_wait.h"
#include "monitor/run/run_secrets.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;

// The controller answers for a job from the moment sbatch returns; accounting may hear of it, and of its end, later.
constexpr auto trace_lag = 25s;
// A race whose rv died is gone on with by the next rv, but not when nobody looked for so long: the plan is stale then
// and the user has moved on.
constexpr auto stale_race = 10min;

TimePoint now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string();
}

std::string fingerprint(const RunView& view) {
  std::string text = std::string(to_string(view.state)) + view.detail;
  for (const auto& candidate : view.candidates) {
    if (candidate.status) text += candidate.status->word + candidate.status->reason;
  }
  return text;
}

}  // namespace

Watcher::Watcher(slurm::Gateway& gateway, std::vector<RunFolder> runs, const std::vector<RunRecord>& records)
    : gateway_(gateway), runs_(std::move(runs)), known_(runs_.size()) {
  for (std::size_t i = 0; i < records.size() && i < known_.size(); ++i) known_[i].record = records[i];
  // Most runs lie on one file system.
  std::map<std::string, std::chrono::seconds> lag_of;
  for (const auto& run : runs_) {
    const auto parent = run.path().substr(0, run.path().rfind('/'));
    const auto known = lag_of.find(parent);
    lags_.push_back(known != lag_of.end() ? known->second : lag_of[parent] = os::visibility_lag(parent));
  }
}

const std::vector<RunView>& Watcher::look(bool ask) {
  std::vector<RunFacts> facts;
  facts.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) facts.push_back(read_facts(runs_[i], &known_[i]));
  drop_earlier_attempts(facts);
  answered_ = false;
  queues_.clear();
  if (ask) ask_slurm(facts);
  std::vector<RunView> views;
  views.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) views.push_back(conclude(i, facts[i]));
  changed_ = !std::equal(views.begin(), views.end(), views_.begin(), views_.end(),
                         [](const auto& a, const auto& b) { return fingerprint(a) == fingerprint(b); });
  views_ = std::move(views);
  return views_;
}

void Watcher::ask_slurm(std::vector<RunFacts>& facts) {
  // A run that is claimed by stop has no job of its own left, but may still have losers in the queue.
  const bool anything_open =
      std::any_of(facts.begin(), facts.end(), [](const RunFacts& run) { return !run.outcome.has_value(); });
  if (!anything_open) return;
  Lookup lookup(gateway_);
  {
    const auto queue = lookup.look();
    trouble_ = queue.trouble;
    if (!queue.answered) return;
    answered_ = true;
    queues_ = by_run(queue);
  }

  std::vector<JobKey> vanished;
  std::vector<slurm::JobId> to_cancel;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].outcome) continue;
    const auto& queue = queue_of(facts[i]);
    if (adopt_jobs(runs_[i], facts[i], queue)) facts[i] = read_facts(runs_[i], &known_[i]);
    for (const auto& key : open_jobs(facts[i])) {
      if (const auto* row = queue.find(key)) {
        statuses_[key.id] = status_of(*row);
        seen_.insert(key.id);
      } else {
        vanished.push_back(key);
      }
    }
    const auto late = losers(facts[i], queue);
    to_cancel.insert(to_cancel.end(), late.begin(), late.end());
    go_on_with_race(runs_[i], facts[i]);
  }
  if (!to_cancel.empty()) gateway_.cancel(to_cancel);
  const auto asked = ask_about(vanished, lookup);
  std::optional<slurm::Answer<slurm::ControllerIdentity>> controller;
  for (std::size_t i = 0; i < facts.size(); ++i) settle_untraced(runs_[i], facts[i], asked, controller);
  // What Slurm said may be newer than what was read from the folders: a job that has just ended has its record by now.
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].outcome || !may_have_moved(facts[i])) continue;
    facts[i] = read_facts(runs_[i], &known_[i]);
    go_on_with_chain(i, facts[i]);
  }
}

std::set<slurm::JobId> Watcher::ask_about(const std::vector<JobKey>& vanished, Lookup& lookup) {
  constexpr auto longest_wait = 5min;
  std::vector<JobKey> due;
  const auto at = PollInterval::Clock::now();
  for (const auto& key : vanished) {
    const auto asked = unknown_.find(key.id);
    if (asked == unknown_.end() || at >= asked->second.next) due.push_back(key);
  }
  std::set<slurm::JobId> asked;
  if (due.empty()) return asked;
  for (const auto& [id, status] : lookup.vanished(due)) {
    asked.insert(id);
    statuses_[id] = status;
    if (status.phase != Phase::unknown) {
      unknown_.erase(id);
      continue;
    }
    auto& patience = unknown_[id];
    patience.next = at + patience.wait;
    patience.wait = std::min<std::chrono::seconds>(patience.wait * 2, longest_wait);
  }
  return asked;
}

void Watcher::settle_untraced(const RunFolder& folder, const RunFacts& facts, const std::set<slurm::JobId>& asked,
                              std::optional<slurm::Answer<slurm::ControllerIdentity>>& controller) {
  if (facts.record.cluster.empty()) return;
  for (const auto& key : open_jobs(facts)) {
    const auto found = statuses_.find(key.id);
    if (found == statuses_.end() || !found->second.untraced || !asked.contains(key.id)) continue;
    if (!seen_for(folder, facts, EventKind::untraced, key.id, trace_lag)) continue;
    if (!controller) controller = gateway_.controller();
    if (!*controller) return;
    const auto submitted = last_submission(facts).value_or(facts.record.created);
    found->second.ending = ending_of_unknown(*controller->value, facts.record.cluster, submitted);
    if (!found->second.ending) continue;
    found->second.phase = Phase::ended;
    found->second.untraced = false;
  }
}

void Watcher::drop_earlier_attempts(const std::vector<RunFacts>& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const int retries = facts[i].standing.attempt;
    const auto [known, first] = retries_.try_emplace(runs_[i].path(), retries);
    if (first || known->second == retries) continue;
    known->second = retries;
    for (const auto& key : open_jobs(facts[i])) {
      statuses_.erase(key.id);
      unknown_.erase(key.id);
      seen_.erase(key.id);
    }
  }
}

bool Watcher::is_wanted(const RunFacts& facts) const {
  const auto submitted = last_submission(facts);
  if (submitted && now() - *submitted <= stale_race) return true;
  const auto keys = open_jobs(facts);
  return std::any_of(keys.begin(), keys.end(), [&](const JobKey& key) { return seen_.contains(key.id); });
}

bool Watcher::may_have_moved(const RunFacts& facts) const {
  if (facts.record.chain) return true;  // its duties are done with what is new
  const auto keys = open_jobs(facts);
  const bool begun = facts.claim && facts.has_started();
  return keys.empty() || std::any_of(keys.begin(), keys.end(), [&](const JobKey& key) {
           const auto status = statuses_.find(key.id);
           if (status == statuses_.end()) return true;
           const auto phase = status->second.phase;
           const bool waits = phase == Phase::pending || phase == Phase::held;
           return !waits && !(phase == Phase::running && begun);
         });
}

bool Watcher::adopt_jobs(const RunFolder& folder, const RunFacts& facts, const QueueView& queue) {
  const auto found = unrecorded_jobs(facts, queue);
  for (const auto& [candidate, job] : found) {
    folder.append({.time = {},
                   .name = EventKind::found,
                   .candidate = candidate,
                   .job = job,
                   .attempt = facts.standing.attempt,
                   .more = {}});
  }
  return !found.empty();
}

const QueueView& Watcher::queue_of(const RunFacts& facts) {
  auto& queue = queues_[facts.record.id];
  queue.answered = answered_;
  return queue;
}

LookAtEnd Watcher::look_at_end(std::size_t run, const RunFacts& facts) {
  LookAtEnd look;
  look.asked = answered_;
  look.job_alive = !live_jobs(facts, queue_of(facts)).empty();
  look.settled = end_is_settled(run, facts, last_job(facts).value_or(JobId{}));
  return look;
}

RunView Watcher::conclude(std::size_t run, RunFacts& facts) {
  const auto& folder = runs_[run];
  while (true) {
    note_start(folder, facts);
    RunView view = assess(facts, statuses_, now());
    const bool wanted = is_wanted(facts);
    const auto look = needs_look(facts, view, wanted) ? look_at_end(run, facts) : LookAtEnd{};
    const auto next = next_step(facts, view, look, wanted);
    if (next == NextStep::show) return view;
    if (next == NextStep::race_again) {
      const auto again = forgotten_race(facts, view);
      retry_in_background(folder, *again);
      view.state = RunState::queued;
      view.detail = view.again = "to be submitted again: " + again->why;
      return view;
    }
    if (next == NextStep::wait) {
      view.state = look.job_alive ? RunState::queued : RunState::ending;
      return view;
    }
    if (const auto retry = worth_retrying(folder, facts, view, gateway_)) {
      retry_in_background(folder, *retry);
      view.state = RunState::queued;
      view.detail = view.again = "to be started again on other nodes: " + retry->why;
      view.exit_code.reset();
      return view;
    }
    if (!view.ended) view.ended = now();
    const Outcome outcome{.state = view.state, .exit_code = view.exit_code, .detail = view.detail, .time = *view.ended};
    try {
      if (write_outcome(folder, facts, outcome)) return view;
    } catch (const Error&) {
      return view;  // a folder that can't be written can be looked at all the same
    }
    // Somebody has decided something meanwhile: what it means is asked anew.
    facts = read_facts(folder, &known_[run]);
  }
}

bool Watcher::end_is_settled(std::size_t run, const RunFacts& facts, JobId job) {
  return seen_for(runs_[run], facts, EventKind::unrecorded_end, job, lags_[run]);
}

bool Watcher::seen_for(const RunFolder& folder, const RunFacts& facts, EventKind kind, JobId job,
                       std::chrono::seconds lag) {
  // Clocks of two machines may be minutes apart: each goes by what it has noted itself.
  const std::string host = host_name();
  const auto seen = std::find_if(facts.events.begin(), facts.events.end(), [&](const Event& event) {
    return event.name == kind && event.job.value_or(JobId{}) == job && event.more.value("host", std::string()) == host;
  });
  if (seen != facts.events.end()) return now() - seen->time >= lag;
  Event event{
      .time = {}, .name = kind, .candidate = 0, .job = {}, .attempt = facts.standing.attempt, .more = {{"host", host}}};
  if (job != JobId{}) event.job = job;
  try {
    folder.append(std::move(event));
  } catch (const Error&) {
    return false;  // a folder that can't be written can be looked at all the same
  }
  return false;
}

void Watcher::go_on_with_chain(std::size_t run, const RunFacts& facts) {
  const auto last = last_job(facts);
  if (!facts.record.chain || !last) return;
  const auto status = statuses_.find(*last);
  if (status == statuses_.end()) return;
  const auto next = next_segment(facts, status->second);
  if (next && end_is_settled(run, facts, *last)) submit_segment_in_background(runs_[run], *last, *next);
}

void Watcher::go_on_with_race(const RunFolder& folder, const RunFacts& facts) {
  TimePoint begun = facts.record.created;
  if (facts.standing.retry) begun = std::max(begun, facts.standing.retry->time);
  if (has_unsubmitted(facts) && now() - begun <= stale_race) submit_in_background(folder);
}

namespace {

// Runs `work` under the run's submit lock in a process of its own that outlives this one, whatever happens to this one.
template <typename Work>
void in_background(const RunFolder& folder, Work&& work) {
  const auto locked = [&] {
    try {
      // Somebody who only looks whether the lock is free holds it for an instant.
      auto lock = SubmitLock::try_take(folder);
      for (int i = 0; !lock && i < 50; ++i, lock = SubmitLock::try_take(folder)) std::this_thread::sleep_for(20ms);
      if (lock) {
        // The job gets these from the run's folder; Slurm would keep what is in sbatch's environment.
        for (const auto& name : environment_names(folder)) ::unsetenv(name.c_str());
        slurm::Gateway gateway;
        work(gateway, *lock);
      }
    } catch (const std::exception& error) {
      // When the folder can't be written either, there is nowhere left to say so. The next rv sees an open race.
      folder.append({.time = {},
                     .name = EventKind::submit_failed,
                     .candidate = 0,
                     .job = {},
                     .attempt = 1,
                     .more = {{"message", error.what()}}});
    }
  };
  if (!os::run_detached(locked)) {
    throw Error("can't start a process: the system refuses fork", "close some programs and try again");
  }
}

}  // namespace

void submit_in_background(const RunFolder& folder) {
  in_background(folder, [&](auto& gateway, auto& lock) { submit_candidates(folder, gateway, lock); });
}

void retry_in_background(const RunFolder& folder, const Retry& retry) {
  in_background(folder, [&](auto& gateway, auto& lock) {
    if (reopen_race(folder, retry, lock)) submit_candidates(folder, gateway, lock);
  });
}

void submit_segment_in_background(const RunFolder& folder, JobId last, const NextSegment& next) {
  in_background(folder, [&](auto& gateway, auto& lock) { submit_segment(folder, gateway, lock, last, next); });
}

}  // namespace rv::monitor
