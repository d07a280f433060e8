#include "model.h"

#include <cstring>

#include "monitor/run/retry_record.h"
#include "monitor/run/run_end.h"

namespace protocol {

using namespace rv;
using namespace rv::monitor;

std::string_view in_words(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "all is well";
    case Fault::started_twice:
      return "without --requeue the command was started twice";
    case Fault::retried_too_often:
      return "the command was started again more often than --retries allows";
    case Fault::started_after_end:
      return "the command was started after the run's end";
    case Fault::overtaken:
      return "an earlier start of a job began the command after a later one had";
    case Fault::end_contradicted:
      return "the outcome contradicts the exit record";
    case Fault::foreign_exit:
      return "an end counts that another process than the one of the start recorded";
    case Fault::never_over:
      return "the run never comes to an end";
    case Fault::never_started:
      return "the run ended, nobody had stopped it, its job was not hit by any fault, and the command never started";
    case Fault::left_behind:
      return "a job is left in the queue";
    case Fault::foreign_cancelled:
      return "a job that is not the run's was cancelled";
    case Fault::result_hidden:
      return "the outcome hides a recorded exit, and no later attempt started";
    case Fault::unproved_success:
      return "the run is called done, and no exit with code 0 is on record";
    case Fault::came_back:
      return "a run whose job the user had cancelled was submitted again";
    case Fault::misled:
      return "the run that follows was started or ended on something that was not so";
    case Fault::started_after_stop:
      return "the command was started after rv stop had called the run over";
    case Fault::copy_cut:
      return "a client cancelled a job that was copying the output, and nobody had stopped the run";
    case Fault::copy_ignored:
      return "the run was called over while its job was copying the output, and nobody had stopped it";
    case Fault::too_small:
      return "the model has too little room";
  }
  return "";
}

Model::Model(const Setting& setting)
    : setting_(setting),
      rules_{.may_restart = setting.requeue, .chain = false, .retries = setting.retries > 0},
      book_(rules_),
      decisions_({.requeue = setting.requeue || setting.broken == Broken::retry_without_end,
                  .retries = setting.retries,
                  .candidates = setting.candidates,
                  .clocks_behind = setting.clocks_behind,
                  .begun_by_events = setting.broken == Broken::begun_by_events,
                  .winner_hidden = setting.broken == Broken::winner_hidden,
                  .copies = setting.copies && setting.broken != Broken::over_before_copy,
                  .prologs = setting.prologs},
                 book_) {}

State Model::initial() const {
  State state{};
  for (int i = 0; i < setting_.candidates; ++i) {
    state.jobs[static_cast<std::size_t>(i)] = {.slurm = Slurm::pending,
                                               .attempt = 1,
                                               .candidate = static_cast<std::uint8_t>(i + 1),
                                               .flags = line_submitted,
                                               .condition = 0};
  }
  state.faults = static_cast<std::uint8_t>(setting_.faults);
  state.stops = static_cast<std::uint8_t>(setting_.stops);
  state.duplicates = setting_.attacks ? 0 : 1;
  if (setting_.follower) state.follower.act = FollowerAct::poll;
  return state;
}

void Model::steps(const State& state, const Visit& visit) {
  for (std::size_t i = 0; i < max_processes; ++i) {
    const auto& process = state.processes[i];
    if (process.job == 0) continue;
    const bool frozen = (state.jobs[process.job - 1U].condition & is_suspended) && !(process.flags & orphan);
    if (!frozen) job_steps(state, i, /*fresh=*/false, visit);
  }
  for (std::size_t i = 0; i < max_clients; ++i) {
    // Of two that are alike each does what the other could.
    const bool like_first = i > 0 && std::memcmp(&state.clients[i], &state.clients[0], sizeof(Client)) == 0;
    if (!like_first) client_steps(state, i, /*fresh=*/false, visit);
  }
  slurm_starts(state, visit);
  if (setting_.follower) follower_steps(state, /*fresh=*/false, visit);
  if (state.faults > 0) faults(state, visit);
}

const Standing& Model::standing(const State& state, int known) const {
  return book_.standing(book_.beginning(state.ledger, known));
}

Sight Model::sight(const State& state, const Client& client, int known, bool lines_of_jobs) const {
  return {.ledger = book_.beginning(state.ledger, known),
          .jobs = state.jobs,
          .answer = client.answer,
          .lines_of_jobs = lines_of_jobs,
          .copied = state.copied};
}

void Model::check_end(State& state) const {
  const auto& all = book_.standing(state.ledger);
  if (!all.outcome || state.broken != 0) return;
  const auto outcome = outcome_of(all);
  if (all.exit && all.exit->word == "exited") {
    const auto expected = all.exit->code == 0 ? RunState::done : RunState::failed;
    if (!outcome || outcome->state != expected) state.broken = static_cast<std::uint8_t>(Fault::end_contradicted);
  } else if (state.result != Result::none) {
    const auto expected = state.result == Result::success ? RunState::done : RunState::failed;
    if (!outcome || outcome->state != expected) state.broken = static_cast<std::uint8_t>(Fault::result_hidden);
  } else if (outcome && outcome->state == RunState::done) {
    state.broken = static_cast<std::uint8_t>(Fault::unproved_success);
  }
}

void Model::append_of(State& state, const Process& process, EntryKind kind, const char* word, int code) {
  const auto& job = state.jobs[process.job - 1U];
  const auto& before = book_.standing(state.ledger);
  const auto number = static_cast<std::uint64_t>(kind) | job.attempt << 4U | job.candidate << 8U | process.job << 12U |
                      process.token << 16U | static_cast<std::uint64_t>(code) << 24U |
                      static_cast<std::uint64_t>(restart_of(process)) << 40U;
  // Before the entry, for check_end().
  const bool may_count = kind == EntryKind::exit && std::string_view(word) == "exited" &&
                         before.attempt == job.attempt && !before.exit && before.start &&
                         before.start->token == std::to_string(process.token);
  if (may_count) state.result = code == 0 ? Result::success : Result::failure;
  if (kind == EntryKind::start) state.result = Result::none;
  append(state, number, [&] {
    Entry entry;
    entry.kind = kind;
    entry.attempt = job.attempt;
    entry.candidate = job.candidate;
    entry.job = id_of(process.job - 1U);
    entry.restart = restart_of(process);
    entry.word = word;
    entry.token = std::to_string(process.token);
    if (kind == EntryKind::exit) {
      entry.code = code;
      if (entry.word == "preflight") entry.more = {{"bad_nodes", {"n1"}}, {"said", "a GPU"}};
      if (setting_.broken == Broken::any_exit && before.start) entry.token = before.start->token;
    }
    return entry;
  });
  const auto& after = book_.standing(state.ledger);
  if (kind != EntryKind::exit || before.exit || !after.exit) return;  // it does not count
  if (after.exit->word == "exited" && after.exit->code == 0) state.succeeded = 1;
  if (after.start && after.start->token != std::to_string(process.token) && state.broken == 0) {
    state.broken = static_cast<std::uint8_t>(Fault::foreign_exit);
  }
}

void Model::append_of_client(State& state, EntryKind kind, int attempt) {
  append(state, static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(attempt) << 4U, [&] {
    Entry entry;
    entry.kind = kind;
    entry.attempt = attempt;
    return entry;
  });
}

void Model::append_retry(State& state, bool asked) {
  const auto& before = book_.standing(state.ledger);
  const int attempt = before.attempt + 1;
  const int count = retry_record(before).value_or(RetryRecord{}).asked + (asked ? 1 : 0);
  const auto number = static_cast<std::uint64_t>(EntryKind::retry) | static_cast<std::uint64_t>(attempt) << 4U |
                      static_cast<std::uint64_t>(count) << 8U;
  append(state, number, [&] {
    Entry entry;
    entry.kind = EntryKind::retry;
    entry.attempt = attempt;
    if (count > 0) entry.more = {{"asked", count}};
    return entry;
  });
}

void remove(State& state, std::size_t process) {
  state.processes[process] = {};
  // The position of a process has no meaning: equal states have one order.
  for (std::size_t i = process; i + 1 < max_processes; ++i) state.processes[i] = state.processes[i + 1];
  state.processes[max_processes - 1] = {};
}

void rest(Client& client) {
  client = {};
}

std::size_t process_of(const State& state, std::size_t job) {
  for (std::size_t i = 0; i < max_processes; ++i) {
    if (state.processes[i].job == job + 1 && !(state.processes[i].flags & orphan)) return i;
  }
  return max_processes;
}

// --- when nothing fails any more
// --------------------------------------------------------------------------------------------

namespace {

bool same(const State& one, const State& other) {
  return std::memcmp(&one, &other, sizeof one) == 0;
}

}  // namespace

// A job that waits when the run is over may wait for days: a start by Slurm does not count as its removal.
bool Model::fair_round(State& state, std::string* history) {
  const State before = state;
  State next = state;
  bool any = false;
  const Visit take_first = [&](const StepName& name, const State& made) {
    if (any) return;
    any = true;
    next = made;
    if (history != nullptr && !same(state, made)) *history += "     " + shown(name, made) + "\n";
  };
  const auto take = [&](auto&& step) {
    any = false;
    step();
    if (any) state = next;
    return any;
  };
  for (int count = 0; count < 500; ++count) {
    if (state.broken != 0) return false;
    if (state.processes[0].job != 0) {
      take([&] { job_steps(state, 0, /*fresh=*/true, take_first); });
    } else if ((setting_.waits && book_.standing(state.ledger).outcome) ||
               !take([&] { slurm_starts(state, take_first); })) {
      break;
    }
  }
  if (setting_.follower) {
    for (int count = 0; count < 20 && take([&] { follower_steps(state, /*fresh=*/true, take_first); }); ++count) {
    }
  }
  for (std::size_t i = 0; i < max_clients; ++i) {
    for (int count = 0; count < 100; ++count) {
      take([&] { client_steps(state, i, /*fresh=*/true, take_first); });
      if (state.clients[i].act == Act::idle) break;
    }
  }
  return !same(before, state);
}

Fault Model::fair_end(State state, const Known& known, std::string* history) {
  state.faults = state.stops = 0;
  for (auto& job : state.jobs) job.condition &= static_cast<std::uint8_t>(~is_suspended);
  for (int round = 0; round < 50; ++round) {
    if (known(state)) return Fault::none;
    if (!fair_round(state, history)) return state.broken != 0 ? static_cast<Fault>(state.broken) : judge(state);
  }
  return Fault::never_over;
}

Fault Model::judge(const State& state) const {
  const auto& all = book_.standing(state.ledger);
  if (!all.outcome) return Fault::never_over;
  bool all_hit = true;
  for (const auto& job : state.jobs) {
    if (is_alive(job.slurm)) return Fault::left_behind;
    if (job.slurm == Slurm::refused) continue;
    // A duplicate may appear after the end; if Slurm shows it in time, append_outcome() checks it.
    if (job.slurm != Slurm::none && job.attempt == all.attempt && !(job.flags & (hit | duplicate))) all_hit = false;
  }
  if (state.runs > 0 || all.stop) return Fault::none;
  // Who has the claim and is struck down before the start has started: others that yielded to it have no more to do.
  const bool excused = all.claim ? (state.jobs[all.claim->job.number - 10].flags & hit) != 0 : all_hit;
  return excused ? Fault::none : Fault::never_started;
}

std::vector<Step> Model::lone_job() {
  std::vector<Step> all;
  State state = initial();
  slurm_starts(state, [&](const StepName&, const State& made) { state = made; });
  while (state.processes[0].job != 0) {
    all.push_back(state.processes[0].step);
    State next = state;
    job_steps(state, 0, /*fresh=*/true, [&](const StepName&, const State& made) { next = made; });
    state = next;
  }
  return all;
}

std::string Model::shown(const StepName& step, const State& state) const {
  std::string text = step.what;
  if (step.who != 0) text += " " + std::to_string(step.who);
  if (step.entries >= 0)
    text += ", having seen " + std::to_string(step.entries) + " of " + std::to_string(length(state));
  if (length(state) == 0) return text;
  std::string line = to_line(book_.entries(state.ledger).back());
  line.pop_back();
  return text + "   [" + std::to_string(length(state)) + ": " + line + "]";
}

}  // namespace protocol
