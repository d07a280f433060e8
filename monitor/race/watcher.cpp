#include "monitor/race/watcher.h"

#include <algorithm>

#include "monitor/race/act.h"
#include "monitor/race/reconcile.h"

namespace rv::monitor {
namespace {

std::string fingerprint(const RunView& view) {
  std::string text = std::string(to_string(view.state)) + view.detail;
  for (const auto& candidate : view.candidates) {
    if (candidate.status) text += candidate.status->word + candidate.status->reason;
  }
  return text;
}

void perform(const RunFolder& folder, const RunFacts& facts, Decision& decision) {
  const auto trouble = act(folder, facts, decision.actions);
  if (trouble.empty()) return;
  auto& detail = decision.view.detail;
  detail += (detail.empty() ? "" : "; ") + trouble;
}

}  // namespace

Watcher::Watcher(slurm::Gateway& gateway, std::vector<RunFolder> runs, const std::vector<RunRecord>& records)
    : gateway_(gateway), runs_(std::move(runs)), observer_(gateway, runs_, records) {}

const std::vector<RunView>& Watcher::poll(bool ask) {
  auto all = observer_.poll(ask);
  std::vector<Decision> decisions;
  decisions.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    decisions.push_back(reconcile(all[i]));
    perform(runs_[i], all[i].facts, decisions[i]);
  }
  cancel_trouble_ = cancel_jobs(runs_, all, decisions, gateway_);
  std::vector<RunView> views;
  views.reserve(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) views.push_back(end(i, all[i], std::move(decisions[i])));
  changed_ = !std::equal(views.begin(), views.end(), views_.begin(), views_.end(),
                         [](const auto& a, const auto& b) { return fingerprint(a) == fingerprint(b); });
  views_ = std::move(views);
  return views_;
}

RunView Watcher::end(std::size_t run, Observation& seen, Decision decision) {
  while (decision.over && !end_run(runs_[run], seen.facts, decision.view, seen.now, gateway_)) {
    // Without Slurm's word, which is older than the folder now, there is nothing to cancel or to submit.
    seen = observer_.poll_again(run, seen.elsewhere);
    decision = reconcile(seen);
    perform(runs_[run], seen.facts, decision);
  }
  return std::move(decision.view);
}

}  // namespace rv::monitor
