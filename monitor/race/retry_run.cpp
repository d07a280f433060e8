#include "monitor/race/retry_run.h"

#include <algorithm>
#include <set>

#include "monitor/diagnosis/attempt_logs.h"
#include "monitor/diagnosis/gather_evidence.h"
#include "monitor/race/element_retry.h"
#include "shared/time_text.h"

namespace rv::monitor {

namespace {

/// By --retries, after a failure that the retries for broken hardware leave alone.
RetryAnswer retry_as_asked(const RunFacts& facts, const RunView& view, const RunEvidence& evidence,
                           const Diagnosis& diagnosis, const RetryDecision& hardware) {
  const auto& asked = facts.record.job.retries;
  if (!asked || !facts.exit) return {};
  // A TERM from outside is not a failure, unless Slurm explains it.
  const bool explained = view.state == RunState::timeout || view.state == RunState::out_of_memory;
  if (was_terminated(facts.exit->kind) && !explained) return {};
  const auto before = retry_record(facts.standing).value_or(RetryRecord{});
  const AskedHistory history{.state = view.state,
                             .exit_code = view.exit_code,
                             .used = before.asked,
                             .ran = retry_history(facts, view).ran,
                             .last_line = last_line_of(evidence.logs),
                             .line_before = before.last_line};
  auto decision = asked_retry(*asked, diagnosis, history);
  if (!decision.retry) return {.retry = std::nullopt, .refusal = std::move(decision.why)};
  return {.retry = Retry{.failed = facts.claim->job,
                         .length = facts.standing.length,
                         .exclude = hardware.exclude,
                         .why = std::move(decision.why),
                         .elements = {},
                         .end = end_so_far(facts, view),
                         .pause = decision.pause,
                         .last_line = history.last_line}};
}

}  // namespace

RetryHistory retry_history(const RunFacts& facts, const RunView& view) {
  RetryHistory history;
  history.may_run_again = facts.record.job.requeue || (facts.record.job.retries && facts.exit);
  history.retries = facts.standing.attempt - 1;
  if (const auto last = retry_record(facts.standing)) history.retries -= last->asked;
  if (const auto& retry = facts.standing.retry; retry && retry->more.is_object()) {
    history.excluded = retry->more.value("exclude", std::vector<std::string>());
  }
  if (const auto& start = facts.standing.start) {
    const auto end = facts.exit ? facts.exit->time : view.ended.value_or(start->time);
    history.ran = std::max(end - start->time, std::chrono::seconds(0));
  }
  return history;
}

bool may_be_worth_retrying(const RunFacts& facts, const RunView& view) {
  if (facts.record.job.chain || facts.record.job.inside) return false;
  // A prolog that fails looks like a scancel before the start (gather_evidence.cpp).
  if (!facts.claim) {
    return view.state == RunState::stopped && !facts.stop_requested &&
           may_retry(facts.standing, std::nullopt, rules_of(facts.record));
  }
  if (facts.claim->by_stop) return false;
  if (view.state == RunState::done || view.state == RunState::stopped) return false;
  if (!may_retry(facts.standing, facts.claim->job, rules_of(facts.record))) return false;
  const auto history = retry_history(facts, view);
  return !history.ran || history.may_run_again;
}

RetryAnswer retry_by(const RunFacts& facts, const RunView& view, const RunEvidence& evidence) {
  const auto diagnosis = diagnose(evidence);
  auto decision = retry_decision(diagnosis, retry_history(facts, view));
  if (!decision.retry) return retry_as_asked(facts, view, evidence, diagnosis, decision);
  return {.retry = Retry{.failed = facts.claim ? std::optional(facts.claim->job) : std::nullopt,
                         .length = facts.standing.length,
                         .exclude = std::move(decision.exclude),
                         .why = std::move(decision.why),
                         .elements = {},
                         .end = end_so_far(facts, view)}};
}

std::optional<Outcome> end_so_far(const RunFacts& facts, const RunView& view) {
  // A failed preflight is the end of a run whose next attempt does not begin, if the command never had.
  const bool unfit = facts.exit && facts.exit->kind == ExitKind::preflight && !facts.has_started() &&
                     (!facts.earlier_end || facts.earlier_end->unstarted);
  if ((!facts.has_started() && !unfit) || !is_final(view.state)) return facts.earlier_end;
  return Outcome{.state = view.state,
                 .exit_code = view.exit_code,
                 .detail = view.detail,
                 .time = view.ended.value_or(facts.standing.start ? facts.standing.start->time : TimePoint{}),
                 .unstarted = unfit};
}

RetryAnswer worth_retrying(const RunFolder& folder, const RunFacts& facts, const RunView& view,
                           slurm::Gateway& gateway) {
  if (facts.record.job.array) {
    return {.retry = element_retry(
                facts, view, [&](int index, const std::string& node) { return element_logs(folder, index, node); })};
  }
  // The cheap check comes first: most failed runs had begun and may run only once.
  if (!may_be_worth_retrying(facts, view)) return {};
  return retry_by(facts, view, gather_evidence(folder, view, gateway));
}

std::optional<Entry> retry_entry(const RunFacts& facts, const Retry& retry, TimePoint now) {
  if (facts.standing.length != retry.length) return std::nullopt;
  if (!may_retry(facts.standing, retry.failed, rules_of(facts.record))) return std::nullopt;
  Entry entry;
  entry.kind = EntryKind::retry;
  entry.attempt = facts.standing.attempt + 1;
  entry.more = {{"exclude", retry.exclude}};
  const int asked = retry_record(facts.standing).value_or(RetryRecord{}).asked;
  put_retry(entry.more, {.why = retry.why,
                         .asked = asked + (retry.pause.count() > 0 ? 1 : 0),
                         .pause = retry.pause,
                         .begins = now + retry.pause,
                         .last_line = retry.last_line});
  if (!retry.elements.empty()) entry.more["elements"] = retry.elements;
  if (retry.end) entry.more["end"] = to_json(*retry.end);
  std::set<std::uint32_t> jobs;
  for (const auto& before : facts.events) {
    if (before.job && !retry.ids_return) jobs.insert(before.job->number);
  }
  entry.more["jobs"] = jobs;
  return entry;
}

bool reopen_race(const RunFolder& folder, const Retry& retry, const SubmitLock& /*held*/) {
  const auto facts = read_facts(folder);
  auto entry = retry_entry(facts, retry, current_time());
  if (!entry) return false;
  Event event{.time = {},
              .name = EventKind::retry,
              .candidate = 0,
              .job = retry.failed,
              .attempt = entry->attempt,
              .more = entry->more};
  auto ledger = facts.ledger;
  // From here on no job of the attempt before can start user code: its start needs the ledger number of this entry.
  if (!append_entry(folder.ledger(), ledger, std::move(*entry))) return false;
  folder.append(std::move(event));
  return true;
}

}  // namespace rv::monitor
