#include "monitor/race/reconcile.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "monitor/race/timed_events.h"

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

constexpr int start_of_race = 1'000;

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

JobKey key_of(unsigned job) {
  return {JobId{job}, "x@k3f9x2." + std::to_string(job - 10)};
}

// A poll of a run of two candidates, jobs 11 and 12, a minute after it was made.
struct Poll {
  RunFacts facts;
  QueueView queue;
  SlurmFindings slurm;
  KnownJobs jobs;
  ClientMachine machine;

  Poll() {
    auto& record = facts.record;
    record.id = "k3f9x2";
    record.created = at(start_of_race);
    for (int number : {1, 2}) {
      Candidate candidate;
      candidate.number = number;
      candidate.job_name = "x@k3f9x2." + std::to_string(number);
      record.candidates.push_back(std::move(candidate));
    }
    queue.answered = true;
    set_time(start_of_race + 60);
    machine.host = "login";
    machine.lag = 5s;
  }

  Observation observed() const { return {RunInQueue(facts, queue), slurm, jobs, machine}; }
  Decision decision() const { return reconcile(observed()); }

  void set_time(int seconds) {
    machine.now = at(seconds);
    machine.moment = {"boot", seconds};
  }
  void event(EventKind kind, int candidate, unsigned job, int time = start_of_race) {
    facts.events.push_back({.time = at(time), .name = kind, .candidate = candidate, .job = {}, .more = {}});
    if (job != 0) facts.events.back().job = JobId{job};
  }
  void submitted() {
    event(EventKind::submitted, 1, 11);
    event(EventKind::submitted, 2, 12);
  }
  void noted(EventKind kind, unsigned job, int time) {
    auto start = last_start(facts, JobId{job}, observed().statuses);
    if (kind == EventKind::unknown_to_slurm) start = {.job = JobId{job}};
    facts.events.push_back(timed_event(facts, kind, start, machine.host, {"boot", time}));
  }
  void claimed(int candidate, unsigned job) {
    facts.claim =
        Claim{.by_stop = false, .candidate = candidate, .job = JobId{job}, .node = "n1", .time = at(start_of_race + 5)};
  }
  void in_queue(int candidate, unsigned job, const char* state) {
    slurm::QueueRow row;
    row.id = JobId{job};
    row.state = state;
    row.name = job_name_of(facts.record.candidates[static_cast<std::size_t>(candidate - 1)], facts.standing.attempt);
    jobs.statuses[{row.id, row.name}] = status_of(row);
    queue.rows.push_back(std::move(row));
  }
  void ended(unsigned job, Ending ending) {
    JobStatus status;
    status.phase = Phase::ended;
    status.ending = ending;
    jobs.statuses[key_of(job)] = status;
  }
};

template <typename Kind>
std::vector<Kind> only(const std::vector<Action>& actions) {
  std::vector<Kind> found;
  for (const auto& action : actions) {
    if (const auto* one = std::get_if<Kind>(&action)) found.push_back(*one);
  }
  return found;
}

/// That the wait goes into the statistics is nothing for the run.
bool does_nothing(const Decision& decision) {
  return decision.cancel.empty() && only<RecordWait>(decision.actions).size() == decision.actions.size();
}

}  // namespace

TEST_CASE("a race that waits in the queue has no pending action") {
  Poll poll;
  poll.submitted();
  poll.in_queue(1, 11, "PENDING");
  poll.in_queue(2, 12, "PENDING");
  CHECK(does_nothing(poll.decision()));
  const auto decision = poll.decision();
  CHECK(decision.view.state == RunState::queued);
  CHECK(decision.actions.empty());
  CHECK(!decision.over);
}

TEST_CASE("a race whose client died is resumed") {
  Poll poll;
  poll.event(EventKind::submitted, 1, 11);
  CHECK(only<ResumeRace>(poll.decision().actions).size() == 1);
  Poll nothing_yet;
  CHECK(nothing_yet.decision().view.state == RunState::submitting);
  nothing_yet.set_time(start_of_race + 601);
  CHECK(nothing_yet.decision().view.state == RunState::unsubmitted);
  CHECK(does_nothing(nothing_yet.decision()));
  // Another attempt is a race of its own age.
  nothing_yet.facts.standing.retry = Entry{};
  nothing_yet.facts.standing.retry->time = at(start_of_race + 600);
  CHECK(only<ResumeRace>(nothing_yet.decision().actions).size() == 1);
}

TEST_CASE("a race is not resumed while it is being submitted, after a stop, or without an answer of Slurm") {
  Poll poll;
  poll.event(EventKind::submitted, 1, 11);
  SUBCASE("of another cluster that shares this home") {
    poll.slurm.elsewhere = true;
  }
  SUBCASE("being submitted") {
    poll.facts.being_submitted = true;
  }
  SUBCASE("stopped") {
    poll.facts.stop_requested = true;
  }
  SUBCASE("over") {
    poll.facts.outcome = Outcome{};
  }
  SUBCASE("no answer") {
    poll.queue.answered = false;
  }
  CHECK(does_nothing(poll.decision()));
}

TEST_CASE("losers are cancelled, and the winner is not") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.in_queue(1, 11, "RUNNING");
  poll.in_queue(2, 12, "PENDING");
  const auto cancelled = poll.decision().cancel;
  REQUIRE(cancelled.size() == 1);
  CHECK(cancelled[0].id == JobId{12});
  CHECK(cancelled[0].name.find("@k3f9x2.2") != std::string::npos);
}

TEST_CASE("a job without a recorded ID is recorded for its attempt") {
  Poll poll;
  poll.submitted();
  poll.facts.standing.attempt = 2;
  poll.in_queue(2, 13, "PENDING");
  const auto notes = only<WriteEvent>(poll.decision().actions);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].event.name == EventKind::found);
  CHECK(notes[0].event.candidate == 2);
  CHECK(notes[0].event.job == JobId{13});
  CHECK(notes[0].event.attempt == 2);
}

TEST_CASE("that a job has left no trace is noted once by each machine") {
  Poll poll;
  poll.submitted();
  poll.slurm.unknown_to_slurm = {JobId{11}};
  const auto notes = only<WriteEvent>(poll.decision().actions);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].event.name == EventKind::unknown_to_slurm);
  CHECK(notes[0].event.more.at("host") == "login");
  poll.noted(EventKind::unknown_to_slurm, 11, start_of_race);
  CHECK(does_nothing(poll.decision()));
  poll.machine.host = "another";
  poll.machine.moment.boot = "another";
  CHECK(only<WriteEvent>(poll.decision().actions).size() == 1);
}

TEST_CASE("an end without a record is noted, waited with, and then written down") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.facts.standing.start = Entry{};
  poll.ended(11, Ending::node_failure);
  auto decision = poll.decision();
  CHECK(decision.view.state == RunState::ending);
  CHECK(!decision.over);
  REQUIRE(only<WriteEvent>(decision.actions).size() == 1);
  CHECK(only<WriteEvent>(decision.actions)[0].event.name == EventKind::unrecorded_end);

  const auto later = start_of_race + 60;
  poll.noted(EventKind::unrecorded_end, 12, start_of_race);  // the end of another job
  CHECK(only<WriteEvent>(poll.decision().actions).size() == 1);
  poll.noted(EventKind::unrecorded_end, 11, later);
  decision = poll.decision();
  CHECK(only<WriteEvent>(decision.actions).empty());
  CHECK(!decision.over);

  poll.set_time(later + 5);
  decision = poll.decision();
  CHECK(decision.over);
  CHECK(decision.view.state == RunState::node_failure);
  SUBCASE("not when Slurm was not asked now") {
    poll.queue.answered = false;
  }
  SUBCASE("not when a job of the run's name is alive") {
    poll.in_queue(1, 14, "PENDING");
    CHECK(poll.decision().view.state == RunState::queued);
  }
  CHECK(!poll.decision().over);
}

TEST_CASE("an end that the run's own records prove is recorded independently of Slurm") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.facts.exit = ExitRecord{.code = 0, .time = at(start_of_race + 50), .job = JobId{11}, .kind = ExitKind::exited};
  poll.queue.answered = false;
  const auto decision = poll.decision();
  CHECK(decision.over);
  CHECK(decision.view.state == RunState::done);
  CHECK(only<WriteEvent>(decision.actions).empty());
  // The wait of a run that has started goes into the statistics, once.
  CHECK(only<RecordWait>(decision.actions).size() == 1);
  poll.event(EventKind::wait_noted, 1, 0);
  CHECK(only<RecordWait>(poll.decision().actions).empty());
  poll.facts.outcome = Outcome{};
  CHECK(!poll.decision().over);
}

TEST_CASE("a race that the controller lost is submitted again unless it was stopped") {
  Poll poll;
  poll.submitted();
  poll.ended(11, Ending::forgotten);
  poll.ended(12, Ending::forgotten);
  const auto decision = poll.decision();
  REQUIRE(only<RepeatRace>(decision.actions).size() == 1);
  CHECK(decision.view.state == RunState::queued);
  CHECK(decision.view.detail.starts_with("will be submitted again"));
  CHECK(!decision.over);
  // Hours later nobody waits for it any more, but who follows it.
  poll.set_time(start_of_race + 10'000);
  CHECK(only<RepeatRace>(poll.decision().actions).empty());
  poll.jobs.alive[key_of(11)] = {};
  CHECK(only<RepeatRace>(poll.decision().actions).size() == 1);
}

TEST_CASE("the next segment is submitted once the end of the last one is settled") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.facts.record.job.chain = templates::Chain{.total = 10h, .shortest = 0s};
  Segment first;
  first.number = 1;
  first.job = JobId{11};
  first.began = at(start_of_race + 5);
  poll.facts.segments = {first};
  poll.ended(11, Ending::node_failure);
  auto actions = poll.decision().actions;
  CHECK(only<ResumeChain>(actions).empty());
  REQUIRE(only<WriteEvent>(actions).size() == 1);
  CHECK(only<WriteEvent>(actions)[0].event.name == EventKind::unrecorded_end);
  CHECK(only<WriteEvent>(actions)[0].event.job == JobId{11});
  poll.noted(EventKind::unrecorded_end, 11, start_of_race + 57);
  CHECK(does_nothing(poll.decision()));
  poll.set_time(start_of_race + 62);
  actions = poll.decision().actions;
  REQUIRE(only<ResumeChain>(actions).size() == 1);
  CHECK(only<ResumeChain>(actions)[0].last == JobId{11});
  CHECK(only<ResumeChain>(actions)[0].next.number == 2);
  CHECK(poll.decision().view.state == RunState::queued);
}

TEST_CASE("the note of a first start's end does not serve for the end of the second") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.facts.record.job.requeue = true;
  Entry start;
  start.job = JobId{11};
  poll.facts.standing.start = start;
  poll.ended(11, Ending::node_failure);
  poll.noted(EventKind::unrecorded_end, 11, start_of_race);
  CHECK(poll.decision().over);
  SUBCASE("by the ledger") {
    poll.facts.standing.start->restart = 1;
  }
  SUBCASE("by Slurm, where the second start has made no entry") {
    poll.jobs.statuses[key_of(11)].start = at(start_of_race + 30);
  }
  CHECK(!poll.decision().over);
  CHECK(only<WriteEvent>(poll.decision().actions).size() == 1);
}

TEST_CASE("waiting times do not go by the time of day") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.facts.standing.start = Entry{};
  poll.ended(11, Ending::node_failure);
  poll.noted(EventKind::unrecorded_end, 11, start_of_race + 60);
  poll.machine.now = at(start_of_race + 3660);  // somebody has set the clock
  CHECK(!poll.decision().over);
  poll.set_time(start_of_race + 65);
  poll.machine.now = at(start_of_race - 3600);
  CHECK(poll.decision().over);
  poll.machine.moment.boot = "booted since";
  CHECK(!poll.decision().over);
}

TEST_CASE("for an ended run its jobs in the queue are cancelled") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.facts.outcome = Outcome{.state = RunState::done, .exit_code = 0, .detail = "", .time = at(start_of_race)};
  CHECK(does_nothing(poll.decision()));
  poll.in_queue(2, 12, "PENDING");
  const auto left = poll.decision().cancel;
  REQUIRE(left.size() == 1);
  CHECK(left[0].id == JobId{12});
  poll.queue.answered = false;
  CHECK(does_nothing(poll.decision()));
}

TEST_CASE("the job that ended the run is cancelled where Slurm takes it for running long after the outcome") {
  Poll poll;
  poll.submitted();
  poll.claimed(1, 11);
  poll.in_queue(1, 11, "RUNNING");
  poll.facts.outcome = Outcome{.state = RunState::done, .exit_code = 0, .detail = "", .time = at(start_of_race)};
  poll.facts.standing.outcome = Entry{};
  poll.facts.standing.outcome->time = at(start_of_race);
  poll.set_time(start_of_race + 300);
  CHECK(does_nothing(poll.decision()));  // without a record of its end the command may be alive
  poll.facts.exit = ExitRecord{.code = 0, .time = {}, .job = JobId{11}, .kind = ExitKind::exited};
  CHECK(poll.decision().cancel.size() == 1);
  // It copies the output, and an older rv wrote the outcome meanwhile.
  poll.facts.copies = {.announced = 1, .copied = 0, .failed = 0};
  CHECK(does_nothing(poll.decision()));
  poll.facts.outcome->copy = CopyState::timeout;
  CHECK(poll.decision().cancel.size() == 1);
  poll.set_time(start_of_race + 60);
  CHECK(does_nothing(poll.decision()));
}

TEST_CASE("a retry whose submission was cut short ends as the attempt before it did") {
  Poll poll;
  poll.facts.standing.attempt = 2;
  poll.facts.standing.retry = Entry{};
  poll.facts.standing.retry->time = at(start_of_race);
  poll.facts.earlier_end =
      Outcome{.state = RunState::failed, .exit_code = 7, .detail = "exit code 7", .time = at(start_of_race)};
  CHECK(poll.decision().view.state == RunState::submitting);  // another rv resumes it
  poll.set_time(start_of_race + 700);
  poll.noted(EventKind::unrecorded_end, 0, start_of_race + 600);
  const auto decision = poll.decision();
  CHECK(decision.over);
  CHECK(decision.view.state == RunState::failed);
  CHECK(decision.view.exit_code == 7);
  poll.queue.answered = false;
  CHECK(!poll.decision().over);
}

TEST_CASE("a command inside a run ends as the job of that run ends; its step says less") {
  Poll poll;
  poll.facts.record.job.inside = templates::Inside{.run = "holder", .job = 11, .job_name = "x@k3f9x2.1"};
  poll.claimed(1, 11);
  poll.slurm.step_ended = true;
  const auto state = [&] { return assess(poll.facts, poll.observed().statuses, poll.machine.now).state; };
  poll.in_queue(1, 11, "RUNNING");
  CHECK(state() == RunState::lost);
  poll.in_queue(1, 11, "COMPLETING");
  CHECK(state() == RunState::ending);
  poll.ended(11, Ending::node_failure);
  CHECK(state() == RunState::node_failure);
}
