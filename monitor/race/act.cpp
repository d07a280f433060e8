#include "monitor/race/act.h"

#include <unistd.h>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/walltime.h"
#include "monitor/jobs/observed_wait.h"
#include "monitor/node_memory/note_node_events.h"
#include "monitor/race/background.h"

namespace rv::monitor {
namespace {

void put_on_record(const RunFolder& folder, const Event& event) {
  try {
    folder.append(event);
  } catch (const Error&) {
    return;  // a run whose folder can't be written is watched all the same
  }
}

/// Why the run folder can't be written, as on a full disk; empty: it can.
std::string write_trouble(const RunFolder& folder) {
  const auto probe = folder.file(".writable");
  try {
    os::write_file(probe, std::string(512, '\n'));
  } catch (const Error& fault) {
    return fault.what();
  }
  ::unlink(probe.c_str());
  return "";
}

class ActionRunner {
 public:
  ActionRunner(const RunFolder& folder, const RunFacts& facts) : folder_(folder), facts_(facts) {}

  void operator()(const WriteEvent& write) const { put_on_record(folder_, write.event); }
  void operator()(const RecordWait& /*start*/) const { note_start(folder_, facts_); }
  void operator()(const ResumeRace& /*race*/) {
    if (may_submit()) submit_in_background(folder_);
  }
  void operator()(const ResumeChain& chain) {
    if (may_submit()) submit_segment_in_background(folder_, chain.last, chain.next);
  }
  void operator()(const RepeatRace& again) {
    if (may_submit()) retry_in_background(folder_, again.retry);
  }

  std::string trouble;  // why nothing was submitted; empty: nothing was due, or its process was started

 private:
  /// What submits is a process of its own, which could report this only in the folder.
  bool may_submit() {
    trouble = write_trouble(folder_);
    return trouble.empty();
  }

  const RunFolder& folder_;
  const RunFacts& facts_;
};

}  // namespace

std::string act(const RunFolder& folder, const RunFacts& facts, const std::vector<Action>& actions) {
  ActionRunner runner(folder, facts);
  for (const auto& action : actions) std::visit(runner, action);
  return std::move(runner.trouble);
}

std::string cancel_jobs(const std::vector<RunFolder>& runs, const std::vector<Observation>& all,
                        const std::vector<Decision>& decisions, slurm::Gateway& gateway) {
  std::vector<JobKey> keys;
  for (const auto& decision : decisions) keys.insert(keys.end(), decision.cancel.begin(), decision.cancel.end());
  if (keys.empty()) return "";
  const auto answer = gateway.cancel(keys);
  if (!answer) return "scancel: " + answer.trouble;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto& key : decisions[i].cancel) {
      put_on_record(runs[i], {.time = {},
                              .name = EventKind::cancelled,
                              .candidate = 0,
                              .job = key.id,
                              .attempt = all[i].facts.standing.attempt,
                              .more = nlohmann::json::object()});
    }
  }
  return "";
}

bool end_run(const RunFolder& folder, const RunFacts& facts, RunView& view, TimePoint now, slurm::Gateway& gateway) {
  note_node_events(folder, facts, view, now);
  const auto [retry, refusal] = worth_retrying(folder, facts, view, gateway);
  if (retry) {
    retry_in_background(folder, *retry);
    view.state = RunState::queued;
    view.detail = view.again = "will be started again" +
                               (retry->pause.count() > 0 ? " in " + format_duration(retry->pause) : "") + ": " +
                               retry->why;
    view.exit_code.reset();
    return true;
  }
  if (!refusal.empty()) view.detail += "; " + refusal;
  if (!view.ended) view.ended = now;
  const Outcome outcome{.state = view.state,
                        .exit_code = view.exit_code,
                        .detail = view.detail,
                        .time = *view.ended,
                        .copy = view.output_copy};
  try {
    return write_outcome(folder, facts, outcome);
  } catch (const Error&) {
    return true;  // a folder that can't be written can be looked at all the same
  }
}

}  // namespace rv::monitor
