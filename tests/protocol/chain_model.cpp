#include "chain_model.h"

#include <algorithm>
#include <vector>

namespace protocol::chain {

using namespace rv;
using namespace rv::monitor;

namespace {

const LedgerRules rules{.may_restart = true, .chain = true};

std::vector<Entry> entries_of(const std::string& ledger, std::size_t count) {
  std::vector<Entry> all;
  for (std::size_t at = 0; at < ledger.size() && all.size() < count; at = ledger.find(' ', at) + 1) {
    Entry entry;
    entry.kind = ledger[at] == 'c'   ? EntryKind::claim
                 : ledger[at] == 's' ? EntryKind::start
                 : ledger[at] == 'x' ? EntryKind::exit
                 : ledger[at] == 'S' ? EntryKind::stop
                                     : EntryKind::outcome;
    entry.word = entry.kind == EntryKind::exit ? "exited" : entry.kind == EntryKind::outcome ? "lost" : "-";
    if (entry.kind == EntryKind::exit) entry.code = 0;
    if (ledger[at] >= 'a') {
      entry.candidate = 1;
      entry.job = JobId{static_cast<std::uint32_t>(ledger[at + 1] - '0')};
    }
    if (entry.kind == EntryKind::start) {
      entry.word = ledger.substr(at + 2, 1);
      entry.restart = ledger[at + 3] - '0';
    }
    all.push_back(std::move(entry));
  }
  return all;
}

std::size_t length(const State& state) {
  return static_cast<std::size_t>(std::count(state.ledger.begin(), state.ledger.end(), ' '));
}

bool any_alive(const State& state) {
  return std::any_of(state.jobs.begin(), state.jobs.end(),
                     [](Queue job) { return job == Queue::pending || job == Queue::running; });
}

void submit(State& state, int count) {
  for (auto& job : state.jobs) {
    if (count > 0 && job == Queue::none) {
      job = Queue::pending;
      --count;
    }
  }
}

}  // namespace

Walk::Walk(const Setting& setting) : setting_(setting) {
  State first;
  first.jobs[0] = Queue::pending;
  first.faults = static_cast<char>(setting.faults);
  add(first, nullptr, "");
}

std::string Walk::find() {
  while (!open_.empty()) {
    const State* state = open_.front();
    open_.pop_front();
    if (state->broken != nullptr) return history(state);
    any_ = false;
    steps(*state);
    if (!any_ && !is_over(*state)) return history(state) + "and nothing ever happens again";
  }
  return "";
}

void Walk::add(const State& state, const State* from, std::string step) {
  any_ = true;
  // The position of a process has no meaning: equal states have one order.
  State ordered = state;
  std::sort(ordered.processes.begin(), ordered.processes.end());
  const auto [place, fresh] = origins_.emplace(std::move(ordered), Origin{from, std::move(step)});
  if (fresh) open_.push_back(&place->first);
}

std::string Walk::history(const State* state) const {
  std::string text = state->broken != nullptr ? state->broken : "";
  std::vector<std::string> way;
  for (; state != nullptr; state = origins_.at(*state).from) way.push_back(origins_.at(*state).step);
  text += ":\n";
  for (auto step = way.rbegin(); step != way.rend(); ++step) text += "  " + *step + "\n";
  return text;
}

const Standing& Walk::standing(const std::string& ledger, std::size_t count) {
  const auto [known, fresh] = standings_.try_emplace({ledger, count});
  if (fresh) known->second = standing_of(entries_of(ledger, count), rules);
  return known->second;
}

bool Walk::is_over(const State& state) {
  const auto& all = standing(state.ledger, length(state));
  return all.outcome || all.has_ended(rules) || all.stop;
}

void Walk::steps(const State& state) {
  slurm(state);
  client(state);
  for (std::size_t who = 0; who < max_processes; ++who) {
    if (state.processes[who].step != Step::none) process(state, who);
  }
}

void Walk::slurm(const State& state) {
  for (std::size_t job = 0; job < max_jobs; ++job) {
    const std::string name = "job " + std::to_string(job + 1);
    if (state.jobs[job] == Queue::pending) {
      auto next = state;
      const auto place = std::find_if(next.processes.begin(), next.processes.end(),
                                      [](const Process& one) { return one.step == Step::none; });
      if (place == next.processes.end()) continue;  // no node is free
      next.jobs[job] = Queue::running;
      *place = {.step = Step::look, .job = static_cast<char>(job + 1), .restart = state.restarts[job]};
      add(next, &state, "Slurm starts " + name);
    }
    if (state.jobs[job] != Queue::running || state.faults == 0) continue;
    for (std::size_t who = 0; who < max_processes; ++who) {
      const auto& one = state.processes[who];
      if (one.job != static_cast<char>(job + 1) || one.orphan || one.makes_room) continue;
      auto next = state;
      --next.faults;
      next.processes[who].makes_room = true;
      add(next, &state, "Slurm tells " + name + " to make room");
    }
    for (const bool lives_on : {false, true}) {
      for (const char* requeued : {"", ", it is requeued", ", a controller with an older state has it pending"}) {
        auto next = state;
        --next.faults;
        next.jobs[job] = *requeued != 0 ? Queue::pending : Queue::over;
        if (requeued[1] == ' ' && requeued[2] == 'i') ++next.restarts[job];
        for (auto& one : next.processes) {
          if (one.job != static_cast<char>(job + 1) || one.orphan) continue;
          if (lives_on) {
            one.orphan = true;
          } else {
            one = {};
          }
        }
        add(next, &state, name + "'s node " + (lives_on ? "seems lost" : "dies") + requeued);
      }
    }
  }
}

void Walk::client(const State& state) {
  const std::size_t all = length(state);
  if (setting_.stops && !standing(state.ledger, all).stop && may_stop(standing(state.ledger, all), rules)) {
    auto next = state;
    next.ledger += "S ";
    add(next, &state, "rv stop");
  }
  if (any_alive(state)) return;
  for (std::size_t known = 0; known <= all; ++known) {
    const auto& seen = standing(state.ledger, known);
    if (!seen.claim || seen.exit || seen.outcome || seen.stop) continue;
    const auto free = std::find(state.jobs.begin(), state.jobs.end(), Queue::none);
    if (free == state.jobs.end()) continue;
    auto next = state;
    next.jobs[static_cast<std::size_t>(free - state.jobs.begin())] = Queue::pending;
    add(next, &state, "a client that sees " + std::to_string(known) + " entries submits the next segment");
  }
  if (may_write_outcome(standing(state.ledger, all))) {
    auto next = state;
    next.ledger += "O ";
    add(next, &state, "a client writes down that the run is lost");
  }
}

void Walk::process(const State& state, std::size_t who) {
  const auto& self = state.processes[who];
  const std::string name = "job " + std::to_string(self.job) + (self.orphan ? " (on the lost node)" : "");
  const auto place = static_cast<std::size_t>(self.job - 1);
  const auto segment = static_cast<std::size_t>(self.segment);
  const std::size_t all = length(state);
  auto next = state;
  auto& moved = next.processes[who];
  switch (self.step) {
    case Step::none:
      return;
    case Step::look:
      return look(state, who, name);
    case Step::close: {  // of the segment before
      auto& end = next.ends[segment - 1];
      if (end == 0 || !setting_.closes_once) end = 'l';
      moved.step = end == 'f' && setting_.minds_finished ? Step::end_run : Step::start;
      return add(next, &state, name + " closes segment " + std::to_string(segment - 1));
    }
    case Step::start:
      if (static_cast<std::size_t>(self.known) != all) {
        moved.step = Step::look;
        ++moved.known;
        return add(next, &state, name + " finds the number of its start taken");
      }
      begin(next, who);
      return add(next, &state, name + " starts segment " + std::to_string(segment));
    case Step::runs:
      return end_segment(state, who, name);
    case Step::end_run:
      return end_run(state, who, name);
    case Step::submit:
      return submit_next(state, who, name);
    case Step::leave:
      if (!self.orphan) next.jobs[place] = self.makes_room ? Queue::pending : Queue::over;
      if (!self.orphan && self.makes_room) ++next.restarts[place];
      moved = {};
      return add(next, &state, name + " leaves");
  }
}

void Walk::end_segment(const State& state, std::size_t who, const std::string& name) {
  const auto& self = state.processes[who];
  const auto segment = static_cast<std::size_t>(self.segment);
  for (const char how : {'f', 't', 'p', 'c'}) {
    if (how == 'p' && !self.makes_room) continue;
    auto ended = state;
    auto& one = ended.processes[who];
    if (ended.ends[segment] != 0 && setting_.closes_once) {
      one.step = Step::leave;
    } else {
      ended.ends[segment] = how;
      one.step = how == 'f' ? Step::end_run : how == 'c' ? Step::look : Step::submit;
    }
    add(ended, &state, name + " ends segment " + std::to_string(segment) + ": " + how);
  }
}

void Walk::end_run(const State& state, std::size_t who, const std::string& name) {
  const auto& self = state.processes[who];
  const std::size_t all = length(state);
  auto next = state;
  const bool open = !standing(state.ledger, all).has_ended(rules);
  next.ledger += "x" + std::to_string(self.job) + " ";
  const auto& after = standing(next.ledger, all + 1);
  const auto last = static_cast<std::size_t>(after.start ? after.start->word[0] - '0' : 0);
  if (open && after.exit && state.ends[last] != 'f') next.broken = "an end counts and the last segment did not finish";
  next.processes[who].step = Step::leave;
  add(next, &state, name + " records the end");
}

void Walk::submit_next(const State& state, std::size_t who, const std::string& name) {
  const auto& self = state.processes[who];
  for (std::size_t known = static_cast<std::size_t>(self.known); known <= length(state); ++known) {
    const auto& seen = standing(state.ledger, known);
    auto made = state;
    made.processes[who].step = Step::leave;
    if (!seen.stop && !seen.outcome) submit(made, 1);
    add(made, &state, name + " submits the next");
    if (state.faults == 0) continue;
    --made.faults;
    submit(made, 1);
    add(made, &state, name + " submits the next twice");
  }
}

void Walk::look(const State& state, std::size_t who, const std::string& name) {
  const auto& self = state.processes[who];
  int late = 0;
  for (std::size_t segment = 1; segment <= max_segments; ++segment) {
    if (state.ends[segment] != 0 && (self.ends >> segment & 1) == 0) late |= 1 << segment;
  }
  for (std::size_t known = static_cast<std::size_t>(self.known); known <= length(state); ++known) {
    for (int more = late;; more = (more - 1) & late) {
      look_at(state, who, known, self.ends | more, name);
      if (more == 0) break;
    }
  }
}

void Walk::look_at(const State& state, std::size_t who, std::size_t known, int ends, const std::string& name) {
  const auto& seen = standing(state.ledger, known);
  auto next = state;
  auto& self = next.processes[who];
  self.known = static_cast<char>(known);
  self.ends = static_cast<char>(ends);
  const JobIdentity job{
      .attempt = 1, .candidate = 1, .job = JobId{static_cast<std::uint32_t>(self.job)}, .restart = self.restart};
  const auto verdict = at_gate(seen, job, rules);
  self.step = verdict == Verdict::claim  ? Step::look
              : verdict == Verdict::pass ? after_last_segment(state, self, seen)
                                         : Step::leave;
  // A link after an outdated poll fails and changes nothing, and the job polls again: poll and link are one step here.
  const bool links = self.step == Step::look || self.step == Step::start;
  if (links && known != length(state)) return;
  if (self.step == Step::look) {
    next.ledger += "c" + std::to_string(self.job) + " ";
    ++self.known;
  } else if (self.step == Step::start) {
    begin(next, who);
  } else if (self.step == Step::leave) {
    self.known = self.ends = self.segment = 0;
  }
  add(next, &state, name + " looks and sees " + std::to_string(known) + " entries");
}

Step Walk::after_last_segment(const State& state, Process& self, const Standing& seen) const {
  const int last = seen.start ? seen.start->word[0] - '0' : 0;
  if (last >= static_cast<int>(max_segments)) return Step::leave;  // of the model
  self.segment = static_cast<char>(last + 1);
  if (last == 0) return Step::start;
  if ((self.ends >> last & 1) != 0) {
    return state.ends[static_cast<std::size_t>(last)] == 'f' && setting_.minds_finished ? Step::end_run : Step::start;
  }
  const auto owner = static_cast<std::size_t>(seen.start->job.number - 1);
  const bool own = static_cast<int>(owner) + 1 == self.job;
  const bool alive = state.jobs[owner] == Queue::running || state.jobs[owner] == Queue::pending;
  if (!own && alive && setting_.asks_slurm) return Step::leave;
  if (own && seen.start->restart == self.restart && setting_.minds_restarts) return Step::leave;
  return Step::close;
}

void Walk::begin(State& state, std::size_t who) {
  auto& self = state.processes[who];
  if (is_over(state)) state.broken = "a segment starts after the run's end";
  if (std::find(state.ends.begin(), state.ends.end(), 'f') != state.ends.end()) {
    state.broken = "a segment starts after the work was finished";
  }
  for (const auto& other : state.processes) {
    if (other.step == Step::runs && !other.orphan) state.broken = "two jobs are at work at once";
  }
  state.ledger += "s" + std::to_string(self.job) + std::to_string(self.segment) + std::to_string(self.restart) + " ";
  ++self.known;
  self.step = Step::runs;
}

}  // namespace protocol::chain
