// The steps of a job's script on the run folder, as trace_test.cpp sees them made.
#include "model.h"

namespace protocol {

using namespace rv;
using namespace rv::monitor;

namespace {

StepName name(const char* what, const Process& process, int known = -1) {
  return {.what = what, .who = process.token, .entries = known};
}

}  // namespace

Verdict Model::verdict(const State& state, const Process& process, int known, bool start) const {
  const auto& job = state.jobs[process.job - 1U];
  const int restart = setting_.broken == Broken::any_start ? max_jobs : restart_of(process);
  const JobIdentity self{
      .attempt = job.attempt, .candidate = job.candidate, .job = id_of(process.job - 1U), .restart = restart};
  const auto ledger = book_.beginning(state.ledger, known);
  const bool open = setting_.broken == Broken::gate_open;
  const auto decided = [&](const Standing& all) {
    return start ? rv::monitor::at_start(all, self, rules_) : rv::monitor::at_gate(all, self, rules_);
  };
  const auto& all = open ? book_.open_standing(ledger) : book_.standing(ledger);
  if (setting_.broken != Broken::requeued_anew || restart_of(process) == 0) return decided(all);
  auto anew = all;
  anew.exit.reset();
  anew.outcome.reset();
  return decided(anew);
}

bool Model::is_sibling(const Job& job, const Job& winner) const {
  return job.attempt <= winner.attempt || setting_.broken == Broken::siblings_of_all;
}

void Model::job_steps(const State& state, std::size_t at, bool fresh, const Visit& visit) {
  const auto& process = state.processes[at];
  const int all = length(state);
  if (process.flags & siblings_due) {
    auto next = state;
    next.processes[at].flags &= static_cast<std::uint8_t>(~siblings_due);
    unsigned siblings = 0;
    const auto& self = state.jobs[process.job - 1U];
    for (std::size_t i = 0; i < max_jobs; ++i) {
      const auto& job = state.jobs[i];
      if (i + 1 != process.job && is_alive(job.slurm) && is_sibling(job, self)) siblings |= 1U << i;
    }
    end_jobs(next, siblings, Slurm::cancelled, name("the winner cancels the others, process", process), visit);
    if (setting_.attacks && siblings != 0 && state.faults > 0) {
      --next.faults;
      visit(name("has its scancel fail, process", process), next);
    }
    if (fresh) return;
  }
  switch (process.step) {
    case Step::none:
      return;
    case Step::look_at_gate:
      for_each_view(process.known, all, fresh, [&](int known) { at_gate(state, at, known, visit); });
      return;
    case Step::link_claim: {
      auto next = state;
      auto& self = next.processes[at];
      self.step = Step::look_at_gate;
      ++self.known;
      if (all == process.known) {
        append_of(next, process, EntryKind::claim, "-", 0);
        // With one intent on record there is no other job to cancel.
        if (state.jobs[1].slurm != Slurm::none) self.flags |= siblings_due;
      }
      return visit(name("links its claim, process", process, process.known), next);
    }
    case Step::look_at_start:
      for_each_view(process.known, all, fresh, [&](int known) {
        const bool blind = setting_.broken == Broken::start_unseen;
        const auto said = blind ? Verdict::start : verdict(state, process, known, /*start=*/true);
        if (said != Verdict::start) return step_back(state, at, known, said, visit);
        if (!blind && looks_in_vain(state, known)) return;
        auto next = state;
        next.processes[at].step = Step::link_start;
        next.processes[at].known = static_cast<std::uint8_t>(known);
        then_link(next, at, name("is through its set-up and may start, process", process, known), visit);
      });
      return;
    case Step::link_start:
      return begin(state, at, setting_.broken == Broken::start_unseen, visit);
    case Step::link_exit: {
      auto next = state;
      append_of(next, process, EntryKind::exit, "exited", 0);
      next.processes[at].step = setting_.copies ? Step::copy : Step::leave;
      if (setting_.copies) return visit(name("command ends with 0, process", process), next);
      return then_link(next, at, name("command ends with 0, process", process), visit);
    }
    case Step::copy: {
      auto next = state;
      next.copied = process.token;
      next.processes[at].step = Step::leave;
      return visit(name("has copied the output, process", process), next);
    }
    case Step::leave: {
      auto next = state;
      if (!(process.flags & orphan)) next.jobs[process.job - 1U].slurm = Slurm::completed;
      remove(next, at);
      return visit(name("leaves, process", process), next);
    }
  }
}

void Model::then_link(const State& state, std::size_t at, const StepName& step, const Visit& visit) {
  if (!setting_.links_at_once) return visit(step, state);
  job_steps(state, at, /*fresh=*/true, [&](const StepName&, const State& made) { visit(step, made); });
}

void Model::at_gate(const State& state, std::size_t at, int known, const Visit& visit) {
  const auto& process = state.processes[at];
  auto next = state;
  auto& self = next.processes[at];
  self.known = static_cast<std::uint8_t>(known);
  auto said = verdict(state, process, known, /*start=*/false);
  if (said == Verdict::behind) {
    if (known > process.known) visit(name("waits for its attempt, process", process, known), next);
    return;
  }
  if (said == Verdict::claim) {
    if (looks_in_vain(state, known)) return;
    self.step = Step::link_claim;
    return then_link(next, at, name("wants to claim, process", process, known), visit);
  }
  if (said == Verdict::pass) said = verdict(state, process, known, /*start=*/true);
  if (said != Verdict::start) return step_back(state, at, known, said, visit);
  self.step = Step::look_at_start;
  next.jobs[process.job - 1U].flags |= line_claimed;
  visit(name("passes the gate, process", process, known), next);
}

void Model::begin(const State& state, std::size_t at, bool blind, const Visit& visit) {
  const auto& process = state.processes[at];
  auto next = state;
  auto& self = next.processes[at];
  if (!blind && length(state) != process.known) {
    ++self.known;
    self.step = Step::look_at_start;
    return visit(name("finds the number of its start taken, process", process, process.known), next);
  }
  const auto& before = book_.standing(state.ledger);
  ++next.runs;
  const bool over = before.outcome || before.has_ended(rules_) || state.succeeded;
  if (over) next.broken = static_cast<std::uint8_t>(Fault::started_after_end);
  const auto& last = before.start;
  if (last && last->job == id_of(process.job - 1U) && last->restart > restart_of(process)) {
    next.broken = static_cast<std::uint8_t>(Fault::overtaken);
  }
  // With --retries a start follows the record of a failure.
  const bool follows_failure = setting_.retries > 0 && state.result == Result::failure;
  if (next.runs > 1 && !setting_.requeue && !follows_failure) {
    next.broken = static_cast<std::uint8_t>(Fault::started_twice);
  }
  if (setting_.retries > 0 && !setting_.requeue && next.runs > 1 + setting_.retries && next.broken == 0) {
    next.broken = static_cast<std::uint8_t>(Fault::retried_too_often);
  }
  if (state.said_over != 0 && setting_.attacks && next.broken == 0) {
    next.broken = static_cast<std::uint8_t>(Fault::started_after_stop);
  }
  if (state.follower.act == FollowerAct::refused && next.broken == 0) {
    next.broken = static_cast<std::uint8_t>(Fault::misled);
  }
  append_of(next, process, EntryKind::start, "0", 0);
  ++self.known;
  self.step = Step::link_exit;
  next.jobs[process.job - 1U].flags |= line_started;
  visit(name("starts the command, process", process, process.known), next);
}

void Model::step_back(const State& state, std::size_t at, int known, Verdict said, const Visit& visit) {
  const auto& process = state.processes[at];
  auto next = state;
  auto& job = next.jobs[process.job - 1U];
  if (said == Verdict::yield) job.flags |= line_yielded;
  if (!(process.flags & orphan)) job.slurm = said == Verdict::refused ? Slurm::failed : Slurm::completed;
  remove(next, at);
  const char* what = said == Verdict::yield     ? "yields, process"
                     : said == Verdict::over    ? "finds the run over, process"
                     : said == Verdict::stopped ? "finds the run stopped, process"
                                                : "may not start twice, process";
  visit(name(what, process, known), next);
}

}  // namespace protocol
