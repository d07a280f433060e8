// The steps of an rv that polls the run, of one that retries it, and of rv stop.
#include <algorithm>

#include "model.h"
#include "monitor/run/run_end.h"

namespace protocol {

using namespace rv;
using namespace rv::monitor;

namespace {

StepName name(const char* what, std::size_t client, int known = -1) {
  return {.what = what, .who = static_cast<int>(client + 1), .entries = known};
}

}  // namespace

// Whether one of these jobs is copying the output after the relevant exit entry, and the run was not stopped.
void Model::check_copy(State& state, unsigned jobs) const {
  if (state.broken != 0 || state.stops < setting_.stops) return;
  const auto& exit = book_.standing(state.ledger).exit;
  for (const auto& process : state.processes) {
    if (!exit || exit->token != std::to_string(process.token)) continue;
    if (process.step != Step::copy || (process.flags & orphan) || !(jobs >> (process.job - 1U) & 1U)) continue;
    if (is_alive(state.jobs[process.job - 1U].slurm)) state.broken = static_cast<std::uint8_t>(Fault::copy_cut);
  }
}

void Model::append_outcome(State& state, const Client& client, std::uint8_t word) {
  const auto& before = book_.standing(state.ledger);
  const int attempt = standing(state, client.known).attempt;
  const auto code = static_cast<std::uint64_t>(EntryKind::outcome) | static_cast<std::uint64_t>(attempt) << 4U |
                    static_cast<std::uint64_t>(word) << 24U;
  append(state, code, [&] {
    return entry_of({.state = static_cast<RunState>(word), .exit_code = {}, .detail = "", .time = {}}, attempt);
  });
  // Slurm has reported that a job may still start.
  for (std::size_t i = 0; i < max_jobs; ++i) {
    const auto& job = state.jobs[i];
    const bool may_start = is_alive(client.answer[i]) && job.attempt == before.attempt && !(job.flags & hit);
    if (!may_start || before.claim || before.stop || state.runs > 0 || state.broken != 0) continue;
    state.broken = static_cast<std::uint8_t>(Fault::never_started);
  }
}

void Model::client_steps(const State& state, std::size_t at, bool fresh, const Visit& visit) {
  switch (state.clients[at].act) {
    case Act::idle:
      return ask_slurm(state, at, fresh, visit);
    case Act::look:
      for_each_view(state.clients[at].known, length(state), fresh, [&](int known) {
        decide(state, at, known, true, visit);
        if (!fresh) decide(state, at, known, false, visit);
      });
      return;
    case Act::write_outcome:
      return link_outcome(state, at, visit);
    case Act::reopen:
      return look_before_retry(state, at, fresh, visit);
    case Act::retry:
      return link_retry(state, at, visit);
    case Act::submit:
      return submit(state, at, fresh, visit);
    case Act::look_stop:
    case Act::stop:
    case Act::cancel:
    case Act::after_stop:
    case Act::stopped:
    case Act::settle:
      return stop_steps(state, at, fresh, visit);
    case Act::cancel_late: {
      auto next = state;
      check_copy(next, state.clients[at].word);
      rest(next.clients[at]);
      return cancel(next, at, state.clients[at].word, name("cancels what it had decided on, client", at), visit);
    }
  }
}

void Model::ask_slurm(const State& state, std::size_t at, bool fresh, const Visit& visit) {
  auto next = state;
  auto& self = next.clients[at];
  self.act = Act::look;
  bool ended = false;
  for (std::size_t i = 0; i < max_jobs; ++i) {
    self.answer[i] = answer_about(state.jobs[i]);
    ended = ended || (self.answer[i] != Slurm::none && !is_alive(self.answer[i]));
  }
  visit(name("asks Slurm, client", at), next);
  // An end that Slurm does not report has the same effect as an answer without that job.
  if (ended && !fresh && !setting_.links_at_once) {
    for (auto& answer : self.answer) {
      if (answer != Slurm::none && !is_alive(answer)) answer = Slurm::unknown;
    }
    visit(name("asks Slurm, which does not know of ended jobs, client", at), next);
  }
  if (state.stops > 0) {
    auto stopping = state;
    --stopping.stops;
    stopping.clients[at].act = Act::look_stop;
    visit(name("receives rv stop, client", at), stopping);
  }
}

// By name and submit time (accounting) too: a job whose ID was given out again is not mistaken for the one that has it
// now.
Slurm Model::answer_about(const Job& job) const {
  if (job.slurm == Slurm::refused) return Slurm::none;
  if ((job.condition & is_recycled) && setting_.broken == Broken::forgets_ended) return Slurm::forgotten;
  return job.slurm == Slurm::running && (job.condition & is_suspended) ? Slurm::suspended : job.slurm;
}

// scancel, which fails or succeeds. A client whose scancel failed detects that, and begins again.
void Model::cancel(const State& state, std::size_t at, unsigned jobs, const StepName& step, const Visit& visit) {
  bool any = false;
  auto next = state;
  for (std::size_t i = 0; i < max_jobs; ++i) {
    if (!(jobs >> i & 1U)) continue;
    any = any || is_alive(state.jobs[i].slurm);
    if ((state.jobs[i].condition & is_recycled) && setting_.broken == Broken::cancel_by_id && next.broken == 0) {
      next.broken = static_cast<std::uint8_t>(Fault::foreign_cancelled);
    }
  }
  end_jobs(next, jobs, Slurm::cancelled, step, visit);
  if (!any || !setting_.attacks || state.faults == 0) return;
  auto failed = state;
  --failed.faults;
  rest(failed.clients[at]);
  visit(name("has its scancel fail, client", at), failed);
}

void Model::link_outcome(const State& state, std::size_t at, const Visit& visit) {
  const auto& client = state.clients[at];
  auto next = state;
  auto& self = next.clients[at];
  const bool blind = setting_.broken == Broken::blind_outcome;
  if (length(state) == client.known || blind) {
    append_outcome(next, client, client.word);
    check_copy(next, (1U << max_jobs) - 1);
    if (next.broken == static_cast<std::uint8_t>(Fault::copy_cut)) {
      next.broken = static_cast<std::uint8_t>(Fault::copy_ignored);
    }
    rest(self);
  } else {
    self = {.act = Act::look, .known = ++self.known, .word = 0, .failed = 0, .answer = client.answer};
  }
  visit(name("links the outcome, client", at, client.known), next);
}

void Model::look_before_retry(const State& state, std::size_t at, bool fresh, const Visit& visit) {
  const auto& client = state.clients[at];
  for_each_view(client.known, length(state), fresh, [&](int known) {
    for (const bool lines : {true, false}) {
      if (!lines && (fresh || setting_.broken != Broken::begun_by_events)) continue;
      auto made = state;
      if (decisions_.may_reopen(sight(state, client, known, lines), client.failed, client.known)) {
        made.clients[at].act = Act::retry;
        made.clients[at].known = static_cast<std::uint8_t>(known);
        if (setting_.links_at_once) {
          client_steps(made, at, fresh, visit);
          continue;
        }
      } else {
        rest(made.clients[at]);
      }
      visit(name("looks whether another attempt may begin, client", at, known), made);
    }
  });
}

void Model::link_retry(const State& state, std::size_t at, const Visit& visit) {
  const auto& client = state.clients[at];
  auto next = state;
  auto& self = next.clients[at];
  if (length(state) == client.known) {
    const int attempt = standing(state, client.known).attempt;
    bool all_cancelled = true;  // by the user, and gone from the memory of Slurm since
    for (const auto& job : state.jobs) {
      const bool mine = job.slurm != Slurm::none && job.slurm != Slurm::refused && job.attempt == attempt;
      const bool cancelled = job.slurm == Slurm::cancelled && (job.flags & hit);
      if (mine && !(cancelled && (job.condition & is_recycled))) all_cancelled = false;
    }
    if (all_cancelled && !setting_.prologs && next.broken == 0)
      next.broken = static_cast<std::uint8_t>(Fault::came_back);
    append_retry(next, client.word != 0);
    ++self.known;
    self.act = Act::submit;
    self.word = 0;
  } else {
    rest(self);
  }
  visit(name("links another attempt, client", at, client.known), next);
}

void Model::submit(const State& state, std::size_t at, bool fresh, const Visit& visit) {
  for_each_view(state.clients[at].known, length(state), fresh, [&](int known) {
    const auto& seen = standing(state, known);
    auto made = state;
    rest(made.clients[at]);
    std::size_t place = 0, room = max_jobs;
    std::uint8_t flags = line_submitted;
    for (; place < max_jobs; ++place) {
      const auto& job = state.jobs[place];
      if (job.slurm == Slurm::none) room = std::min(room, place);
      const bool same = job.slurm != Slurm::none && job.candidate == 1 && job.attempt == seen.attempt;
      if (same) flags |= duplicate;
      if (same && ((job.flags & line_submitted) || is_alive(job.slurm))) break;
    }
    if (place < max_jobs) {
      made.jobs[place].flags |= line_submitted;  // from the journal, or from its name in the queue
    } else if (!seen.claim && !seen.stop && !seen.outcome) {
      if (room == max_jobs) {
        made.broken = static_cast<std::uint8_t>(Fault::too_small);
      } else {
        made.jobs[room] = {.slurm = Slurm::pending,
                           .attempt = static_cast<std::uint8_t>(seen.attempt),
                           .candidate = 1,
                           .flags = flags,
                           .condition = 0};
        if (setting_.refusals && state.faults > 0) {
          auto refused = made;
          --refused.faults;
          refused.jobs[room].slurm = Slurm::refused;
          visit(name("has its sbatch refused, client", at, known), refused);
        }
      }
    }
    visit(name("submits, client", at, known), made);
  });
}

void Model::decide(const State& state, std::size_t at, int known, bool lines_of_jobs, const Visit& visit) {
  const auto& client = state.clients[at];
  auto decision = decisions_.about(sight(state, client, known, lines_of_jobs));
  if (setting_.broken == Broken::over_is_over && standing(state, known).outcome) decision.losers = 0;
  if (setting_.broken == Broken::end_is_success && decision.over) {
    const bool completed =
        std::find(client.answer.begin(), client.answer.end(), Slurm::completed) != client.answer.end();
    if (completed) decision.state = static_cast<std::uint8_t>(RunState::done);
  }
  auto next = state;
  auto& self = next.clients[at];
  if (setting_.broken == Broken::cancels_copying) {
    const auto& exit = standing(state, known).exit;
    if (exit) decision.losers |= static_cast<std::uint8_t>(1U << (exit->job.number - 10));
  }
  check_copy(next, decision.losers);
  for (std::size_t i = 0; i < max_jobs; ++i) {
    if (decision.found >> i & 1U) next.jobs[i].flags |= line_submitted;
  }
  self.known = static_cast<std::uint8_t>(known);
  if (decision.race_again || (decision.over && decision.retry)) {
    self.act = Act::reopen;
    self.failed = decision.over ? decision.failed : 0;
    self.word = decision.asked && setting_.broken != Broken::retries_uncounted ? 1 : 0;
    self.answer = {};
  } else if (decision.over) {
    self.act = Act::write_outcome;
    self.word = decision.state;
  } else if (decision.submit) {
    self = {.act = Act::submit, .known = self.known, .word = 0, .failed = 0, .answer = {}};
  } else {
    rest(self);
  }
  const auto step =
      name(lines_of_jobs ? "decides, client" : "decides before the jobs' lines have come, client", at, known);
  if (setting_.attacks && decision.losers != 0 && state.faults > 0) {
    auto frozen = next;
    --frozen.faults;
    frozen.clients[at] = {
        .act = Act::cancel_late, .known = self.known, .word = decision.losers, .failed = 0, .answer = {}};
    visit(name("decides and is frozen before its scancel, client", at, known), frozen);
  }
  cancel(next, at, decision.losers, step, [&](const StepName& named, const State& made) {
    const bool link = setting_.links_at_once && made.clients[at].act == Act::write_outcome;
    if (!link) return visit(named, made);
    client_steps(made, at, /*fresh=*/true, [&](const StepName&, const State& linked) { visit(named, linked); });
  });
}

void Model::stop_steps(const State& state, std::size_t at, bool fresh, const Visit& visit) {
  const auto& client = state.clients[at];
  const int all = length(state);
  auto next = state;
  auto& self = next.clients[at];
  switch (client.act) {
    case Act::look_stop:
      for_each_view(client.known, all, fresh, [&](int known) {
        const auto& seen = standing(state, known);
        auto made = state;
        made.clients[at].known = static_cast<std::uint8_t>(known);
        if (may_stop(seen, rules_)) {
          if (looks_in_vain(state, known)) return;
          made.clients[at].act = Act::stop;
          if (setting_.links_at_once) return client_steps(made, at, fresh, visit);
        } else if (seen.stop && !seen.outcome) {
          made.clients[at].act = Act::cancel;
        } else if (may_follow_end(seen, rules_)) {
          made.clients[at].act = Act::settle;
          if (setting_.links_at_once) return client_steps(made, at, fresh, visit);
        } else {
          rest(made.clients[at]);
          if (setting_.attacks) made.said_over = 1;
        }
        visit(name("looks whether there is anything to stop, client", at, known), made);
      });
      return;
    case Act::stop:
      if (all == client.known) {
        append_of_client(next, EntryKind::stop, standing(state, client.known).attempt);
      }
      ++self.known;
      self.act = Act::look_stop;
      return visit(name("links the stop, client", at, client.known), next);
    case Act::settle:
      if (all == client.known) {
        append_outcome(next, client, static_cast<std::uint8_t>(decisions_.end_of_exit(state.ledger)));
        if (setting_.attacks) next.said_over = 1;
        rest(self);
      } else {
        self.act = Act::look_stop;
      }
      return visit(name("links the outcome of the end, client", at, client.known), next);
    case Act::cancel: {
      if (decisions_.has_started(book_.beginning(state.ledger, client.known))) {
        rest(self);
      } else {
        self.act = Act::after_stop;
      }
      return cancel(next, at, (1U << max_jobs) - 1, name("cancels the run's jobs, client", at), visit);
    }
    case Act::after_stop:
      for_each_view(client.known, all, fresh, [&](int known) {
        auto made = state;
        made.clients[at].known = static_cast<std::uint8_t>(known);
        if (may_write_outcome(standing(state, known))) {
          made.clients[at].act = Act::stopped;
          if (setting_.links_at_once) return client_steps(made, at, fresh, visit);
        } else {
          rest(made.clients[at]);
        }
        visit(name("looks again after the stop, client", at, known), made);
      });
      return;
    case Act::stopped:
      if (all == client.known) {
        append_outcome(next, client, static_cast<std::uint8_t>(decisions_.end_of_stopped(state.ledger)));
      }
      rest(self);
      return visit(name("links that it was stopped, client", at, client.known), next);
    default:
      return;
  }
}

}  // namespace protocol
