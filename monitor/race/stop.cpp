#include "monitor/race/stop.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/os/detached_process.h"
#include "monitor/follow/element_jobs.h"
#include "monitor/jobs/lookup.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/start_step.h"
#include "monitor/run/run_facts.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

/// A job that another cluster of a federation has is cancelled through this one, which keeps a row of it after its end,
/// too.
bool may_be_alive(const slurm::QueueRow& row, const RunFacts& facts) {
  const auto status = status_of(row);
  if (is_revoked(status)) return !facts.exit && !facts.outcome;
  const auto phase = status.phase;
  return phase != Phase::ended && phase != Phase::completing;
}

/// A job that somebody has renamed: only what the controller says of it proves that it is the run's.
void add_renamed(std::vector<JobKey>& keys, const RunFacts& facts, const QueueView& queue, slurm::Gateway& gateway) {
  for (const auto& key : open_jobs(facts)) {
    const bool there = std::any_of(queue.rows.begin(), queue.rows.end(), [&](const auto& row) {
      return row.id == key.id && row.name != key.name && may_be_alive(row, facts);
    });
    if (!there || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const auto records = gateway.record(key.id);
    if (records && !records.value->empty() && is_the_job(records.value->front(), key))
      keys.push_back({key.id, records.value->front().name});
  }
}

/// Until the stop is in the ledger or the run has ended: after it no job can make the entry that starts user code.
RunFacts write_stop(const RunFolder& folder, KnownFacts& known, const std::string& host) {
  auto facts = read_facts(folder, &known);
  while (may_stop(facts.standing, rules_of(facts.record))) {
    Entry stop;
    stop.kind = EntryKind::stop;
    stop.attempt = facts.standing.attempt;
    stop.node = host;
    append_entry(folder.ledger(), known.ledger, std::move(stop));
    facts = read_facts(folder, &known);
  }
  return facts;
}

/// A run that has ended and has no outcome yet may be tried again by another client. Its outcome rules that out.
/// Returns false where an entry was made meanwhile, such as that client's retry.
/// A copy of its output ends with the job that makes it.
bool settle_end(const RunFolder& folder, RunFacts facts, TimePoint now) {
  if (!may_follow_end(facts.standing, rules_of(facts.record))) return true;
  const bool copies = std::exchange(facts.copies, {}).unfinished();
  const auto view = assess(facts, {}, now);
  if (!is_final(view.state)) return true;
  return write_outcome(folder, facts,
                       {.state = view.state,
                        .exit_code = view.exit_code,
                        .detail = view.detail,
                        .time = view.ended.value_or(now),
                        .copy = copies ? std::optional(CopyState::cancelled) : std::nullopt});
}

/// For people: a folder that can't be written keeps no job alive.
void write_event(const RunFolder& folder, EventKind kind, int attempt, const slurm::JobId& job) {
  try {
    folder.append({.time = {}, .name = kind, .candidate = 0, .job = job, .attempt = attempt, .more = {}});
  } catch (const Error&) {
    return;
  }
}

/// The run's jobs that may be alive; nothing, with the reason in `trouble`, where Slurm doesn't answer.
std::optional<std::vector<JobKey>> living_jobs(const RunFacts& facts, slurm::Gateway& gateway, std::string& trouble) {
  const auto queue = Lookup(gateway).query();
  if (!queue.answered) {
    trouble = queue.trouble;
    return std::nullopt;
  }
  std::vector<JobKey> keys;
  for (const auto& candidate : facts.record.candidates) {
    for (const auto& row : queue.rows) {
      if (is_job_name_of(row.name, candidate.job_name) && may_be_alive(row, facts)) keys.push_back({row.id, row.name});
    }
  }
  add_renamed(keys, facts, queue, gateway);
  return keys;
}

/// As Slurm does for a job (KillWait).
constexpr std::chrono::seconds time_to_end(30);

/// The command's step in another run's job gets TERM, and KILL later if it is still there. That job is left alone.
bool end_step(const RunFolder& folder, const RunRecord& record, slurm::Gateway& gateway, StopResult& stopped) {
  const JobKey job{JobId{static_cast<std::uint32_t>(record.job.inside->job)}, record.job.inside->job_name};
  const auto signal = [job, name = step_name(record)](slurm::Gateway& slurm, const std::string& word) {
    auto steps = slurm.my_steps();
    if (!steps) return steps.trouble;
    std::erase_if(*steps.value, [&](const auto& step) { return step.job != job.id || step.name != name; });
    return steps.value->empty() ? std::string() : slurm.signal(job, *steps.value, word).trouble;
  };
  stopped.trouble = signal(gateway, "TERM");
  if (!stopped.trouble.empty()) return false;
  os::run_detached([&] {
    std::this_thread::sleep_for(time_to_end);
    slurm::Gateway later;
    if (std::filesystem::exists(folder.path())) signal(later, "KILL");
  });
  return true;
}

/// Cancels what may be alive. False, with the reason in `stopped.trouble`, where Slurm doesn't answer.
bool cancel_living(const RunFolder& folder, const RunFacts& facts, slurm::Gateway& gateway, StopResult& stopped) {
  if (facts.record.job.inside) return end_step(folder, facts.record, gateway, stopped);
  auto living = living_jobs(facts, gateway, stopped.trouble);
  if (!living) return false;
  if (living->empty()) return true;
  const auto answer = gateway.cancel(*living);
  stopped.cancelled = std::move(*living);
  if (!answer) {
    stopped.trouble = answer.trouble;
    return false;
  }
  for (const auto& job : stopped.cancelled) {
    write_event(folder, EventKind::cancelled, facts.standing.attempt, job.id);
  }
  return true;
}

void end_before_start(const RunFolder& folder, const RunFacts& facts) {
  Outcome outcome{.state = RunState::stopped,
                  .exit_code = std::nullopt,
                  .detail = "stopped before it started",
                  .time = facts.standing.stop ? facts.standing.stop->time : TimePoint{}};
  if (facts.earlier_end) {
    outcome = *facts.earlier_end;
    outcome.detail += "; stopped before it was started again";
  }
  // When a job was faster with a record of its end, that is the outcome.
  write_outcome(folder, facts, outcome);
}

}  // namespace

StopResult stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host) {
  StopResult stopped;
  KnownFacts known;
  RunFacts facts;
  try {
    facts = write_stop(folder, known, host);
    while (!settle_end(folder, facts, current_time())) {
      facts = write_stop(folder, known, host);
    }
  } catch (const Error& error) {
    stopped.unrecorded = error.what();
    facts = read_facts(folder, &known);
  }
  stopped.had_started = facts.has_started();
  stopped.ran_before = facts.earlier_end.has_value();
  if (facts.outcome || (!facts.stop_requested && stopped.unrecorded.empty())) {
    // An sbatch that was under way when the run ended, or a scancel that failed, can have left jobs in the queue.
    stopped.already_over = true;
    stopped.was_copying = copy_is_open(facts) || (facts.outcome && facts.outcome->copy == CopyState::cancelled);
    // Where the records show that none can be left, Slurm's silence is of no consequence.
    if (!cancel_living(folder, facts, gateway, stopped) && stopped.cancelled.empty() && !may_have_left_jobs(facts)) {
      stopped.trouble.clear();
    }
    return stopped;
  }
  if (stopped.unrecorded.empty()) write_event(folder, EventKind::stop_requested, facts.standing.attempt, {});
  if (!cancel_living(folder, facts, gateway, stopped) || !stopped.unrecorded.empty()) return stopped;
  if (!stopped.had_started) {
    facts = read_facts(folder, &known);
    end_before_start(folder, facts);
  }
  return stopped;
}

namespace {

struct ElementStop {
  ElementStanding standing;
  bool wrote = false;  // the end is this client's: the element had not begun
};

/// Until the element's end is in its ledger, or it has begun or ended.
ElementStop write_element_stop(const RunFolder& folder, KnownFacts& known, const RunFacts& facts, int index,
                               const std::string& host) {
  std::vector<Entry> retries;
  std::copy_if(facts.ledger.begin(), facts.ledger.end(), std::back_inserter(retries),
               [](const Entry& entry) { return entry.kind == EntryKind::retry; });
  const int attempt = last_attempt_of(retries, index);
  auto& entries = known.elements[index];
  while (may_stop_element(element_standing(entries, attempt), facts.standing, rules_of(facts.record))) {
    Entry end;
    end.kind = EntryKind::exit;
    end.attempt = attempt;
    end.word = "stopped";
    end.node = host;
    if (append_element_entry(folder.elements(), index, entries, std::move(end))) {
      return {.standing = element_standing(entries, attempt), .wrote = true};
    }
  }
  return {.standing = element_standing(entries, attempt)};
}

/// The jobs of elements that run. scancel with a filter by name takes an element's ID for the whole array (22.05), so
/// only an element's own number is safe, and only a running one has it. One that waits steps back when Slurm starts it.
std::map<int, JobKey> jobs_of_elements(const std::vector<JobKey>& arrays, const std::vector<int>& indices) {
  std::map<int, JobKey> jobs;
  for (const auto& array : arrays) {
    for (const auto& element : running_elements(slurm::to_string(array.id))) {
      const auto id = slurm::parse_job_id(element.job);
      const bool wanted = std::find(indices.begin(), indices.end(), element.index) != indices.end();
      if (wanted && id) jobs[element.index] = {*id, array.name};
    }
  }
  return jobs;
}

}  // namespace

StopElementsResult stop_elements(const RunFolder& folder, const std::vector<int>& indices, slurm::Gateway& gateway,
                                 const std::string& host) {
  StopElementsResult stopped;
  KnownFacts known;
  const auto facts = read_facts(folder, &known);
  std::vector<int> alive;
  for (const int index : indices) {
    const auto [standing, wrote] = write_element_stop(folder, known, facts, index, host);
    const bool ended = !wrote && element_has_ended(standing, rules_of(facts.record));
    if (facts.outcome || facts.stop_requested || ended) {
      stopped.already_over.push_back(index);
      continue;
    }
    (wrote ? stopped.before_start : stopped.running).push_back(index);
    alive.push_back(index);
  }
  if (alive.empty()) return stopped;
  // Written before the jobs are cancelled, so that their exits count as stopped, not as failed.
  folder.append({.time = {},
                 .name = EventKind::stop_requested,
                 .candidate = 0,
                 .job = {},
                 .attempt = facts.standing.attempt,
                 .more = {{"elements", alive}}});
  if (stopped.running.empty()) return stopped;
  auto arrays = living_jobs(facts, gateway, stopped.trouble);
  if (!arrays) return stopped;
  std::sort(arrays->begin(), arrays->end());
  arrays->erase(std::unique(arrays->begin(), arrays->end()), arrays->end());
  const auto found = jobs_of_elements(*arrays, stopped.running);
  std::vector<JobKey> jobs;
  jobs.reserve(found.size());
  for (const auto& [index, job] : found) jobs.push_back(job);
  if (!jobs.empty()) stopped.trouble = gateway.cancel(jobs).trouble;
  // An element that has ended meanwhile has no job, either.
  const auto after = read_facts(folder, &known);
  std::vector<int> missing;
  for (const int index : stopped.running) {
    const auto* element = find_element(after.elements, index);
    if (!found.contains(index) && (element == nullptr || !element->exit)) missing.push_back(index);
  }
  if (stopped.trouble.empty() && !missing.empty()) {
    stopped.trouble = "squeue lists no running job of " + elements_in_words(missing);
  }
  return stopped;
}

}  // namespace rv::monitor
