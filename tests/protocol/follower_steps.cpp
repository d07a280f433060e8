// The steps of the job of a run with --after RUN:ok on the ledger of that run (templates/gate/after.inc.sh). Slurm may
// start it at any time: which jobs it was asked to wait for need not have been the last ones.
#include "model.h"
#include "monitor/run/run_end.h"

namespace protocol {

using namespace rv;
using namespace rv::monitor;

namespace {

StepName name(const char* what, std::size_t known) {
  return {.what = what, .who = 0, .entries = static_cast<int>(known)};
}

}  // namespace

void Model::follower_steps(const State& state, bool fresh, const Visit& visit) {
  const auto& self = state.follower;
  if (self.act == FollowerAct::poll) {
    for_each_view(self.known, length(state), fresh,
                  [&](int known) { follower_polls(state, static_cast<std::size_t>(known), visit); });
  } else if (self.act == FollowerAct::close) {
    auto next = state;
    next.follower.act = FollowerAct::poll;
    if (length(state) == self.known) {
      const auto& all = standing(state, self.known);
      Client writer{};
      writer.known = self.known;
      append_outcome(next, writer, static_cast<std::uint8_t>(all.exit ? RunState::failed : RunState::lost));
    }
    visit(name("the follower links that the run did not end well", self.known), next);
  }
}

void Model::follower_polls(const State& state, std::size_t known, const Visit& visit) {
  const auto& all = standing(state, static_cast<int>(known));
  const auto outcome = outcome_of(all);
  const bool well =
      (all.exit && all.exit->word == "exited" && all.exit->code == 0) || (outcome && outcome->state == RunState::done);
  bool alive = false;
  for (const auto& job : state.jobs) alive = alive || is_alive(job.slurm);
  const bool over_in_slurm = !alive && !(all.attempt > 1 && !all.claim);
  const bool trusts_slurm = setting_.broken == Broken::follower_trusts_slurm;
  const bool badly = all.outcome || (all.stop && !all.start) ||
                     (all.has_ended(rules_) && all.start && !rules_.may_restart && !rules_.retries) ||
                     (trusts_slurm && over_in_slurm);
  auto next = state;
  auto& self = next.follower;
  self.known = static_cast<std::uint8_t>(known);
  if (well) {
    self.act = FollowerAct::started;
    if (state.result != Result::success && state.broken == 0) next.broken = static_cast<std::uint8_t>(Fault::misled);
    return visit(name("the follower starts", known), next);
  }
  if (badly) {
    self.act = FollowerAct::refused;
    return visit(name("the follower ends, as the run did not end well", known), next);
  }
  const bool decided = all.has_ended(rules_) || over_in_slurm;
  if (!decided || (all.stop && alive)) return;
  self.act = FollowerAct::close;
  visit(name("the follower finds the run over", known), next);
}

}  // namespace protocol
