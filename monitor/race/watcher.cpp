#include "monitor/race/watcher.h"

#include <algorithm>

#include "base/error.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/race/act.h"
#include "monitor/race/decide.h"

namespace rv::monitor {
namespace {

void note_cancelled(const RunFolder& folder, const RunFacts& facts, JobId job) {
  try {
    folder.append({.time = {},
                   .name = EventKind::cancelled,
                   .candidate = 0,
                   .job = job,
                   .attempt = facts.standing.attempt,
                   .more = nlohmann::json::object()});
  } catch (const Error&) {
    return;  // a run whose folder can't be written is watched all the same
  }
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
    : gateway_(gateway), runs_(std::move(runs)), observer_(gateway, runs_, records) {}

const std::vector<RunView>& Watcher::look(bool ask) {
  auto all = observer_.look(ask);
  do_duties(all);
  std::vector<RunView> views;
  views.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) views.push_back(decide_and_act(i, all[i]));
  changed_ = !std::equal(views.begin(), views.end(), views_.begin(), views_.end(),
                         [](const auto& a, const auto& b) { return fingerprint(a) == fingerprint(b); });
  views_ = std::move(views);
  return views_;
}

void Watcher::do_duties(const std::vector<Observation>& all) {
  std::vector<JobKey> to_cancel;
  for (std::size_t i = 0; i < runs_.size(); ++i) act(runs_[i], all[i].facts, duties(all[i]), to_cancel);
  cancel_trouble_.clear();
  if (to_cancel.empty()) return;
  // Those that Slurm did not cancel are in the queue at the next poll, too.
  const auto answer = gateway_.cancel(to_cancel);
  if (!answer) {
    cancel_trouble_ = "scancel: " + answer.trouble;
    return;
  }
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    for (const auto& key : losers(all[i].facts, all[i].queue)) note_cancelled(runs_[i], all[i].facts, key.id);
  }
}

RunView Watcher::decide_and_act(std::size_t run, Observation& seen) {
  std::vector<JobKey> to_cancel;
  while (true) {
    auto [view, actions, over] = decide(seen);
    act(runs_[run], seen.facts, actions, to_cancel);
    if (!over || end_run(runs_[run], seen.facts, view, seen.now, gateway_)) return view;
    observer_.look_again(run, seen);
  }
}

}  // namespace rv::monitor
