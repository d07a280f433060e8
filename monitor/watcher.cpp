#include "monitor/watcher.h"

#include <algorithm>
#include <thread>

#include "monitor/observed_wait.h"
#include "monitor/submit.h"
#include "planner/error.h"
#include "slurm/detached_process.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;

// Records written on a compute node can take a moment to be seen here (attribute caches of network file systems).
constexpr auto record_lag = 5s;
// A race whose rv died is gone on with by the next rv, but not when nobody looked for so long: the plan is stale then
// and the user has moved on.
constexpr auto stale_race = 10min;

TimePoint now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string fingerprint(const RunView& view) {
  std::string text = std::string(to_string(view.state)) + view.detail;
  for (const auto& candidate : view.candidates) {
    if (candidate.status) text += candidate.status->word + candidate.status->reason;
  }
  return text;
}

}  // namespace

void Tick::asked(Clock::time_point at, bool changed) {
  interval_ = changed ? shortest : std::clamp(interval_ * 3 / 2, shortest, longest);
  next_ = at + interval_;
}

const std::vector<RunView>& Watcher::look(bool ask) {
  std::vector<RunFacts> facts;
  facts.reserve(runs_.size());
  for (const auto& run : runs_) facts.push_back(read_facts(run));
  if (ask) ask_slurm(facts);
  std::vector<RunView> views;
  views.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) views.push_back(conclude(runs_[i], facts[i]));
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
  const auto queue = lookup.look();
  trouble_ = queue.trouble;
  if (!queue.answered) return;

  std::vector<JobKey> vanished;
  std::vector<slurm::JobId> to_cancel;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].outcome) continue;
    for (const auto& key : open_jobs(facts[i])) {
      if (const auto* row = queue.find(key)) {
        statuses_[key.id] = status_of(*row);
      } else {
        vanished.push_back(key);
      }
    }
    const auto late = losers(facts[i], queue);
    to_cancel.insert(to_cancel.end(), late.begin(), late.end());
    go_on_with_race(runs_[i], facts[i]);
  }
  if (!to_cancel.empty()) gateway_.cancel(to_cancel);
  if (!vanished.empty()) {
    for (const auto& [id, status] : lookup.vanished(vanished)) statuses_[id] = status;
  }
  // What Slurm said may be newer than what was read from the folders: a job that has just ended has its record by now.
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].outcome) facts[i] = read_facts(runs_[i]);
  }
}

RunView Watcher::conclude(const RunFolder& folder, RunFacts& facts) {
  note_start(folder, facts);
  RunView view = assess(facts, statuses_);
  if (facts.outcome || !is_final(view.state)) return view;
  const bool proved = facts.exit || (facts.claim && facts.claim->by_stop) || view.state == RunState::refused;
  if (!proved) {
    // Slurm says it is over and the folder has no record of it. The record may still be on its way.
    const auto seen = std::find_if(facts.events.begin(), facts.events.end(),
                                   [](const Event& event) { return event.name == "unrecorded_end"; });
    if (seen == facts.events.end()) {
      folder.append({.time = {}, .name = "unrecorded_end", .candidate = 0, .job = {}, .more = {}});
    }
    if (seen == facts.events.end() || now() - seen->time < record_lag) {
      view.state = RunState::ending;
      return view;
    }
  }
  if (!view.ended) view.ended = now();
  write_outcome(folder, {.state = view.state, .exit_code = view.exit_code, .detail = view.detail, .time = *view.ended});
  return view;
}

void Watcher::go_on_with_race(const RunFolder& folder, const RunFacts& facts) {
  if (facts.claim || facts.being_submitted || now() - facts.record.created > stale_race) return;
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  const bool complete = std::all_of(journals.begin(), journals.end(),
                                    [](const auto& c) { return c.job.has_value() || !c.refusal.empty(); });
  if (!complete) submit_in_background(folder);
}

namespace {

void submit_detached(const RunFolder& folder) {
  try {
    // Somebody who only looks whether the lock is free holds it for an instant.
    auto lock = SubmitLock::try_take(folder);
    for (int i = 0; !lock && i < 50; ++i, lock = SubmitLock::try_take(folder)) std::this_thread::sleep_for(20ms);
    if (lock) {
      slurm::Gateway gateway;
      submit_candidates(folder, gateway, *lock);
    }
  } catch (const std::exception& error) {
    // When the folder can't be written either, there is nowhere left to say so. The next rv sees an open race.
    folder.append(
        {.time = {}, .name = "submit_failed", .candidate = 0, .job = {}, .more = {{"message", error.what()}}});
  }
}

}  // namespace

void submit_in_background(const RunFolder& folder) {
  if (!slurm::run_detached([&folder] { submit_detached(folder); })) {
    throw Error("can't start a process: the system refuses fork", "close some programs and try again");
  }
}

}  // namespace rv::monitor
