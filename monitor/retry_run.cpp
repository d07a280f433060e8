#include "monitor/retry_run.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "monitor/atomic_file.h"
#include "monitor/element_retry.h"
#include "monitor/gather_evidence.h"

namespace rv::monitor {

RetryHistory retry_history(const RunFacts& facts, const RunView& view) {
  RetryHistory history;
  history.may_run_again = facts.record.requeue;
  for (const auto& event : facts.events) {
    if (event.name == "retry") {
      ++history.retries;
      history.excluded = event.more.value("exclude", std::vector<std::string>());
    } else if (event.name == "started" || event.name == "ready") {
      const auto end = facts.exit ? facts.exit->time : view.ended.value_or(event.time);
      history.ran = std::max(end - event.time, std::chrono::seconds(0));
    }
  }
  return history;
}

std::optional<Retry> worth_retrying(const RunFolder& folder, const RunFacts& facts, const RunView& view,
                                    slurm::Gateway& gateway) {
  if (facts.record.array) {
    return element_retry(facts, view,
                         [&](int index, const std::string& node) { return element_logs(folder, index, node); });
  }
  if (facts.record.chain || !facts.claim || facts.claim->by_stop) return std::nullopt;
  if (view.state == RunState::done || view.state == RunState::stopped || has_event(facts, "stop_requested")) {
    return std::nullopt;
  }
  // Cheap before dear: most failed runs had begun and may run only once.
  const auto history = retry_history(facts, view);
  if (history.ran && !history.may_run_again) return std::nullopt;
  auto decision = retry_decision(diagnose(gather_evidence(folder, view, gateway)), history);
  if (!decision.retry) return std::nullopt;
  return Retry{.failed = facts.claim->job,
               .earlier = history.retries,
               .exclude = std::move(decision.exclude),
               .why = std::move(decision.why)};
}

bool reopen_race(const RunFolder& folder, const Retry& retry, const SubmitLock& /*held*/) {
  const auto facts = read_facts(folder);
  const auto holder = facts.claim ? std::optional(facts.claim->job) : std::nullopt;
  if (facts.outcome || (facts.claim && facts.claim->by_stop) || holder != retry.failed) return false;
  if (has_event(facts, "stop_requested")) return false;
  const auto earlier =
      std::count_if(facts.events.begin(), facts.events.end(), [](const Event& event) { return event.name == "retry"; });
  if (earlier != retry.earlier) return false;
  const std::string aside = "retries/" + std::to_string(earlier + 1);
  make_folder(folder.file("retries"));
  make_folder(folder.file(aside));
  Event event{.time = {}, .name = "retry", .candidate = 0, .job = retry.failed, .more = nlohmann::json::object()};
  event.more["exclude"] = retry.exclude;
  event.more["why"] = retry.why;
  if (!retry.elements.empty()) event.more["elements"] = retry.elements;
  // What these still write is not the new attempt's. A controller that lost jobs gives out their numbers again.
  std::set<std::uint32_t> jobs;
  for (const auto& before : facts.events) {
    if (before.job && retry.failed) jobs.insert(before.job->number);
  }
  event.more["jobs"] = jobs;
  folder.append(std::move(event));
  if (!retry.elements.empty()) make_folder(folder.file(aside + "/elements"));
  for (const int index : retry.elements) {
    const std::string name = "/elements/" + std::to_string(index);
    std::rename((folder.path() + name).c_str(), folder.file(aside + name).c_str());
  }
  // The claim goes last: while it is there, no job of the next attempt can pass the gate.
  for (const auto* name : {"exit", "started", "claim"}) {
    std::rename(folder.file(name).c_str(), folder.file(aside + "/" + name).c_str());
  }
  return true;
}

}  // namespace rv::monitor
