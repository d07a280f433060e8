// What Slurm, nodes and people outside the run do.
#include "model.h"

namespace protocol {

using namespace rv;
using namespace rv::monitor;

namespace {

StepName about(const char* what, std::size_t job) {
  return {.what = what, .who = static_cast<int>(id_of(job).number), .entries = -1};
}

std::size_t free_process(const State& state) {
  std::size_t at = 0;
  while (at < max_processes && state.processes[at].job != 0) ++at;
  return at;
}

}  // namespace

void Model::slurm_starts(const State& state, const Visit& visit) const {
  for (std::size_t i = 0; i < max_jobs; ++i) {
    if (!(state.jobs[i].condition & is_suspended)) continue;
    auto next = state;
    next.jobs[i].condition &= static_cast<std::uint8_t>(~is_suspended);
    visit(about("somebody resumes", i), next);
  }
  for (std::size_t i = 0; i < max_jobs; ++i) {
    if (state.jobs[i].slurm != Slurm::pending) continue;
    auto next = state;
    const auto at = free_process(state);
    if (at == max_processes) {
      next.broken = static_cast<std::uint8_t>(Fault::too_small);
      return visit(about("no room for", i), next);
    }
    next.jobs[i].slurm = Slurm::running;
    next.processes[at] = {.job = static_cast<std::uint8_t>(i + 1),
                          .step = Step::look_at_gate,
                          .known = 0,
                          .token = ++next.tokens,
                          .flags = static_cast<std::uint8_t>(state.jobs[i].flags & counted ? second : 0)};
    visit(about("Slurm starts", i), next);
  }
}

void Model::end_jobs(const State& state, unsigned jobs, Slurm how, const StepName& step, const Visit& visit) {
  bool runs = false;
  for (const bool recorded : {false, true}) {
    auto next = state;
    for (std::size_t i = 0; i < max_jobs; ++i) {
      if (!(jobs >> i & 1U) || !is_alive(next.jobs[i].slurm)) continue;
      next.jobs[i].slurm = how;
      next.jobs[i].condition = 0;
      const auto at = process_of(next, i);
      if (at == max_processes) continue;
      const auto process = next.processes[at];
      if (process.step == Step::link_exit) {
        runs = true;
        if (recorded) append_of(next, process, EntryKind::exit, "terminated", 143);
      }
      // What has recorded its end already is over for Slurm too.
      if (process.step == Step::leave) next.jobs[i].slurm = Slurm::completed;
      remove(next, at);
    }
    if (recorded && !runs) return;
    visit(step, next);
  }
}

// Slurm asks the job to end, with a grace period in which the command ends. Newer releases requeue whatever may be
// requeued then, with an end on record too; for older ones the script asks, which is answered or not.
void Model::preempt(const State& state, std::size_t job, const Visit& visit) {
  const auto at = process_of(state, job);
  if (at == max_processes || state.processes[at].step != Step::link_exit) return;
  for (const bool finishes : {false, true}) {
    for (const bool requeued : {false, true}) {
      if (requeued && !setting_.requeue) continue;
      auto next = state;
      append_of(next, state.processes[at], EntryKind::exit, finishes ? "exited" : "preempted", finishes ? 0 : 143);
      remove(next, at);
      next.jobs[job].slurm = requeued ? Slurm::pending : finishes ? Slurm::completed : Slurm::failed;
      next.jobs[job].flags |= requeued ? restarted | counted : hit;
      visit(about(finishes ? "finishes in its grace:" : "is preempted:", job), next);
    }
  }
}

// The controller considers the job gone. Its process has ended, or survives where it can't be reached.
void Model::lose(const State& base, std::size_t job, const Loss& loss, const Visit& visit) {
  auto next = base;
  next.jobs[job].slurm = loss.how;
  next.jobs[job].condition = 0;
  next.jobs[job].flags |= loss.flags;
  const auto at = process_of(base, job);
  if (at == max_processes) return visit(about(loss.what, job), next);
  auto alive = next;
  remove(next, at);
  visit(about(loss.what, job), next);
  alive.processes[at].flags |= orphan;
  visit(about(loss.what_alive, job), alive);
}

void Model::hit_job(const State& base, std::size_t job, const char* what, Slurm how, const Visit& visit) {
  auto next = base;
  next.jobs[job].flags |= hit;
  end_jobs(next, 1U << job, how, about(what, job), visit);
}

// To a job whose process is at work.
void Model::faults_at_work(const State& base, std::size_t job, std::size_t at, const Visit& visit) {
  lose(base, job, {"the node dies under", "the node seems to fail, and is alive, under", Slurm::node_failed, hit},
       visit);
  if (setting_.requeue) {
    lose(base, job,
         {"the node dies and Slurm requeues", "the node seems to fail, is alive, and Slurm requeues", Slurm::pending,
          restarted | counted},
         visit);
  }
  lose(base, job,
       {"a controller with an older state ends and has yet to start",
        "a controller with an older state lets run and has yet to start", Slurm::pending, restarted},
       visit);
  hit_job(base, job, "time is up for", Slurm::timeout, visit);
  preempt(base, job, visit);
  if (base.processes[at].step != Step::leave) {
    auto next = base;
    next.jobs[job].flags |= hit;
    next.jobs[job].slurm = Slurm::failed;
    remove(next, at);
    visit(about("is killed without a record:", job), next);
  }
  if (setting_.preflight && base.processes[at].step == Step::look_at_start) {
    auto next = base;
    next.jobs[job].flags |= hit;
    append_of(next, base.processes[at], EntryKind::exit, "preflight", 1);
    next.processes[at].step = Step::leave;
    if (setting_.broken == Broken::unfit_starts) {
      next.processes[at].step = Step::link_start;
      next.processes[at].known = static_cast<std::uint8_t>(length(next));
    }
    visit(about("the preflight fails for", job), next);
  }
  if (setting_.attacks) attacks_at_work(base, job, at, visit);
  if (base.processes[at].step == Step::look_at_start) {
    auto next = base;
    next.jobs[job].flags |= hit;
    append_of(next, base.processes[at], EntryKind::exit, "exited", 1);
    next.processes[at].step = Step::leave;
    visit(about("the site's set-up fails for", job), next);
  }
}

void Model::attacks_at_work(const State& base, std::size_t job, std::size_t at, const Visit& visit) {
  const auto& process = base.processes[at];
  if (process.step == Step::look_at_start) {
    auto next = base;
    next.jobs[job].flags |= hit;
    next.jobs[job].slurm = Slurm::completed;
    remove(next, at);
    visit(about("a set-up line ends, with code 0,", job), next);
  }
  if (process.step == Step::link_exit) {
    auto next = base;
    next.jobs[job].flags |= hit;
    append_of(next, process, EntryKind::exit, "exited", 7);
    next.processes[at].step = setting_.copies ? Step::copy : Step::leave;
    visit(about("its hardware makes the command fail:", job), next);
  }
  auto next = base;
  next.jobs[job].condition |= is_suspended;
  visit(about("somebody suspends", job), next);
}

// Its ID is given out again once it has left Slurm's memory.
void Model::attacks_on_job(const State& base, std::size_t job, const Visit& visit) {
  if (is_alive(base.jobs[job].slurm) || (base.jobs[job].condition & is_recycled)) return;
  auto next = base;
  next.jobs[job].condition |= is_recycled;
  visit(about("another job of the user gets the ID of", job), next);
}

void Model::faults_of_job(const State& base, std::size_t i, const Visit& visit) {
  const auto& job = base.jobs[i];
  const auto at = process_of(base, i);
  if (job.slurm == Slurm::running && at != max_processes) faults_at_work(base, i, at, visit);
  if (is_alive(job.slurm)) {
    hit_job(base, i, "somebody cancels", Slurm::cancelled, visit);
    lose(base, i,
         {"the controller forgets", "the controller forgets, and its process lives on,", Slurm::forgotten, hit}, visit);
  } else if ((job.slurm == Slurm::forgotten || job.slurm == Slurm::node_failed) && !(job.condition & is_recycled)) {
    auto next = base;
    next.jobs[i].slurm = Slurm::pending;
    visit(about("is back in the queue:", i), next);
  }
  for (const std::uint8_t line : {line_submitted, line_claimed, line_yielded, line_started}) {
    if (!(job.flags & line) || (line == line_started && setting_.broken != Broken::begun_by_events)) continue;
    auto next = base;
    next.jobs[i].flags &= static_cast<std::uint8_t>(~line);
    visit(about("a line of the journal is lost about", i), next);
  }
}

void Model::faults(const State& state, const Visit& visit) {
  State base = state;
  --base.faults;
  for (std::size_t i = 0; i < max_jobs; ++i) {
    if (state.jobs[i].slurm == Slurm::none || state.jobs[i].slurm == Slurm::refused) continue;
    faults_of_job(base, i, visit);
    if (setting_.attacks) attacks_on_job(base, i, visit);
  }
  if (state.duplicates > 0) {
    std::size_t place = 0;
    while (place < max_jobs && state.jobs[place].slurm != Slurm::none) ++place;
    if (place < max_jobs) {
      auto next = base;
      --next.duplicates;
      next.jobs[place] = {.slurm = Slurm::pending, .attempt = 1, .candidate = 1, .flags = duplicate, .condition = 0};
      visit(about("an sbatch without an answer was accepted as", place), next);
    }
  }
  for (std::size_t i = 0; i < max_clients; ++i) {
    if (state.clients[i].act == Act::idle) continue;
    auto next = base;
    rest(next.clients[i]);
    visit({.what = "client is killed:", .who = static_cast<int>(i + 1), .entries = -1}, next);
  }
}

}  // namespace protocol
