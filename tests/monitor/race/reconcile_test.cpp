#include "monitor/race/reconcile.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "monitor/race/noted.h"

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

constexpr int start_of_race = 1'000;

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

// A look at a run of two candidates a minute after it was made.
struct Look {
  Observation seen;

  Look() {
    auto& record = seen.facts.record;
    record.id = "k3f9x2";
    record.created = at(start_of_race);
    for (int number : {1, 2}) {
      Candidate candidate;
      candidate.number = number;
      candidate.job_name = "x@k3f9x2." + std::to_string(number);
      record.candidates.push_back(std::move(candidate));
    }
    seen.queue.answered = true;
    set_time(start_of_race + 60);
    seen.host = "login";
    seen.lag = 5s;
  }

  void set_time(int seconds) {
    seen.now = at(seconds);
    seen.moment = {"boot", seconds};
  }
  void event(EventKind kind, int candidate, unsigned job, int time = start_of_race) {
    seen.facts.events.push_back({.time = at(time), .name = kind, .candidate = candidate, .job = {}, .more = {}});
    if (job != 0) seen.facts.events.back().job = JobId{job};
  }
  void submitted() {
    event(EventKind::submitted, 1, 11);
    event(EventKind::submitted, 2, 12);
  }
  void noted(EventKind kind, unsigned job, int time) {
    auto start = last_start(seen.facts, JobId{job}, seen.statuses);
    if (kind == EventKind::unknown_to_slurm) start = {.job = JobId{job}};
    seen.facts.events.push_back(note(seen.facts, kind, start, seen.host, {"boot", time}));
  }
  void claimed(int candidate, unsigned job) {
    seen.facts.claim =
        Claim{.by_stop = false, .candidate = candidate, .job = JobId{job}, .node = "n1", .time = at(start_of_race + 5)};
  }
  void in_queue(int candidate, unsigned job, const char* state) {
    slurm::QueueRow row;
    row.id = JobId{job};
    row.state = state;
    row.name = "x@k3f9x2." + std::to_string(candidate);
    seen.statuses[row.id] = status_of(row);
    seen.queue.rows.push_back(std::move(row));
  }
  void ended(unsigned job, Ending ending) {
    JobStatus status;
    status.phase = Phase::ended;
    status.ending = ending;
    seen.statuses[JobId{job}] = status;
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
  return decision.cancel.empty() && only<NoteStart>(decision.actions).size() == decision.actions.size();
}

}  // namespace

TEST_CASE("a race that waits in the queue has no pending action") {
  Look look;
  look.submitted();
  look.in_queue(1, 11, "PENDING");
  look.in_queue(2, 12, "PENDING");
  CHECK(does_nothing(reconcile(look.seen)));
  const auto decision = reconcile(look.seen);
  CHECK(decision.view.state == RunState::queued);
  CHECK(decision.actions.empty());
  CHECK(!decision.over);
}

TEST_CASE("a race whose client died is resumed") {
  Look look;
  look.event(EventKind::submitted, 1, 11);
  CHECK(only<GoOnWithRace>(reconcile(look.seen).actions).size() == 1);
  Look nothing_yet;
  CHECK(reconcile(nothing_yet.seen).view.state == RunState::submitting);
  nothing_yet.set_time(start_of_race + 601);
  CHECK(reconcile(nothing_yet.seen).view.state == RunState::unsubmitted);
  CHECK(does_nothing(reconcile(nothing_yet.seen)));
  // Another attempt is a race of its own age.
  nothing_yet.seen.facts.standing.retry = Entry{};
  nothing_yet.seen.facts.standing.retry->time = at(start_of_race + 600);
  CHECK(only<GoOnWithRace>(reconcile(nothing_yet.seen).actions).size() == 1);
}

TEST_CASE("a race is not resumed while it is being submitted, after a stop, or without an answer of Slurm") {
  Look look;
  look.event(EventKind::submitted, 1, 11);
  SUBCASE("of another cluster that shares this home") {
    look.seen.elsewhere = true;
  }
  SUBCASE("being submitted") {
    look.seen.facts.being_submitted = true;
  }
  SUBCASE("stopped") {
    look.seen.facts.stop_requested = true;
  }
  SUBCASE("over") {
    look.seen.facts.outcome = Outcome{};
  }
  SUBCASE("no answer") {
    look.seen.queue.answered = false;
  }
  CHECK(does_nothing(reconcile(look.seen)));
}

TEST_CASE("losers are cancelled, and the winner is not") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.in_queue(1, 11, "RUNNING");
  look.in_queue(2, 12, "PENDING");
  const auto cancelled = reconcile(look.seen).cancel;
  REQUIRE(cancelled.size() == 1);
  CHECK(cancelled[0].id == JobId{12});
  CHECK(cancelled[0].name.find("@k3f9x2.2") != std::string::npos);
}

TEST_CASE("a job without a recorded ID is recorded for its attempt") {
  Look look;
  look.submitted();
  look.seen.facts.standing.attempt = 2;
  look.seen.found = {{2, JobId{13}}};
  const auto notes = only<Note>(reconcile(look.seen).actions);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].event.name == EventKind::found);
  CHECK(notes[0].event.candidate == 2);
  CHECK(notes[0].event.job == JobId{13});
  CHECK(notes[0].event.attempt == 2);
}

TEST_CASE("that a job has left no trace is noted once by each machine") {
  Look look;
  look.submitted();
  look.seen.unknown_to_slurm = {JobId{11}};
  const auto notes = only<Note>(reconcile(look.seen).actions);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].event.name == EventKind::unknown_to_slurm);
  CHECK(notes[0].event.more.at("host") == "login");
  look.noted(EventKind::unknown_to_slurm, 11, start_of_race);
  CHECK(does_nothing(reconcile(look.seen)));
  look.seen.host = "another";
  look.seen.moment.boot = "another";
  CHECK(only<Note>(reconcile(look.seen).actions).size() == 1);
}

TEST_CASE("an end without a record is noted, waited with, and then written down") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.seen.facts.standing.start = Entry{};
  look.ended(11, Ending::node_failure);
  auto decision = reconcile(look.seen);
  CHECK(decision.view.state == RunState::ending);
  CHECK(!decision.over);
  REQUIRE(only<Note>(decision.actions).size() == 1);
  CHECK(only<Note>(decision.actions)[0].event.name == EventKind::unrecorded_end);

  const auto later = start_of_race + 60;
  look.noted(EventKind::unrecorded_end, 12, start_of_race);  // the end of another job
  CHECK(only<Note>(reconcile(look.seen).actions).size() == 1);
  look.noted(EventKind::unrecorded_end, 11, later);
  decision = reconcile(look.seen);
  CHECK(only<Note>(decision.actions).empty());
  CHECK(!decision.over);

  look.set_time(later + 5);
  decision = reconcile(look.seen);
  CHECK(decision.over);
  CHECK(decision.view.state == RunState::node_failure);
  SUBCASE("not when Slurm was not asked now") {
    look.seen.queue.answered = false;
  }
  SUBCASE("not when a job of the run's name is alive") {
    look.in_queue(1, 14, "PENDING");
    CHECK(reconcile(look.seen).view.state == RunState::queued);
  }
  CHECK(!reconcile(look.seen).over);
}

TEST_CASE("an end that the run's own records prove is recorded independently of Slurm") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.seen.facts.exit =
      ExitRecord{.code = 0, .time = at(start_of_race + 50), .job = JobId{11}, .kind = ExitKind::exited};
  look.seen.queue.answered = false;
  const auto decision = reconcile(look.seen);
  CHECK(decision.over);
  CHECK(decision.view.state == RunState::done);
  CHECK(only<Note>(decision.actions).empty());
  // The wait of a run that has started goes into the statistics, once.
  CHECK(only<NoteStart>(decision.actions).size() == 1);
  look.event(EventKind::wait_noted, 1, 0);
  CHECK(only<NoteStart>(reconcile(look.seen).actions).empty());
  look.seen.facts.outcome = Outcome{};
  CHECK(!reconcile(look.seen).over);
}

TEST_CASE("a race that the controller lost is submitted again unless it was stopped") {
  Look look;
  look.submitted();
  look.ended(11, Ending::forgotten);
  look.ended(12, Ending::forgotten);
  const auto decision = reconcile(look.seen);
  REQUIRE(only<RaceAgain>(decision.actions).size() == 1);
  CHECK(decision.view.state == RunState::queued);
  CHECK(decision.view.detail.starts_with("will be submitted again"));
  CHECK(!decision.over);
  // Hours later nobody waits for it any more, but who follows it.
  look.set_time(start_of_race + 10'000);
  CHECK(only<RaceAgain>(reconcile(look.seen).actions).empty());
  look.seen.followed = true;
  CHECK(only<RaceAgain>(reconcile(look.seen).actions).size() == 1);
}

TEST_CASE("the next segment is submitted once the end of the last one is settled") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.seen.facts.record.job.chain = templates::Chain{.total = 10h, .shortest = 0s};
  Segment first;
  first.number = 1;
  first.job = JobId{11};
  first.began = at(start_of_race + 5);
  look.seen.facts.segments = {first};
  look.ended(11, Ending::node_failure);
  auto actions = reconcile(look.seen).actions;
  CHECK(only<GoOnWithChain>(actions).empty());
  REQUIRE(only<Note>(actions).size() == 1);
  CHECK(only<Note>(actions)[0].event.name == EventKind::unrecorded_end);
  CHECK(only<Note>(actions)[0].event.job == JobId{11});
  look.noted(EventKind::unrecorded_end, 11, start_of_race + 57);
  CHECK(does_nothing(reconcile(look.seen)));
  look.set_time(start_of_race + 62);
  actions = reconcile(look.seen).actions;
  REQUIRE(only<GoOnWithChain>(actions).size() == 1);
  CHECK(only<GoOnWithChain>(actions)[0].last == JobId{11});
  CHECK(only<GoOnWithChain>(actions)[0].next.number == 2);
  CHECK(reconcile(look.seen).view.state == RunState::queued);
}

TEST_CASE("the note of a first start's end does not serve for the end of the second") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.seen.facts.record.job.requeue = true;
  Entry start;
  start.job = JobId{11};
  look.seen.facts.standing.start = start;
  look.ended(11, Ending::node_failure);
  look.noted(EventKind::unrecorded_end, 11, start_of_race);
  CHECK(reconcile(look.seen).over);
  SUBCASE("by the ledger") {
    look.seen.facts.standing.start->restart = 1;
  }
  SUBCASE("by Slurm, where the second start has made no entry") {
    look.seen.statuses[JobId{11}].start = at(start_of_race + 30);
  }
  CHECK(!reconcile(look.seen).over);
  CHECK(only<Note>(reconcile(look.seen).actions).size() == 1);
}

TEST_CASE("waiting times do not go by the time of day") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.seen.facts.standing.start = Entry{};
  look.ended(11, Ending::node_failure);
  look.noted(EventKind::unrecorded_end, 11, start_of_race + 60);
  look.seen.now = at(start_of_race + 3660);  // somebody has set the clock
  CHECK(!reconcile(look.seen).over);
  look.set_time(start_of_race + 65);
  look.seen.now = at(start_of_race - 3600);
  CHECK(reconcile(look.seen).over);
  look.seen.moment.boot = "booted since";
  CHECK(!reconcile(look.seen).over);
}

TEST_CASE("for an ended run its jobs in the queue are cancelled") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.seen.facts.outcome = Outcome{.state = RunState::done, .exit_code = 0, .detail = "", .time = at(start_of_race)};
  CHECK(does_nothing(reconcile(look.seen)));
  look.in_queue(2, 12, "PENDING");
  const auto left = reconcile(look.seen).cancel;
  REQUIRE(left.size() == 1);
  CHECK(left[0].id == JobId{12});
  look.seen.queue.answered = false;
  CHECK(does_nothing(reconcile(look.seen)));
}

TEST_CASE("the job that ended the run is cancelled where Slurm takes it for running long after the outcome") {
  Look look;
  look.submitted();
  look.claimed(1, 11);
  look.in_queue(1, 11, "RUNNING");
  look.seen.facts.outcome = Outcome{.state = RunState::done, .exit_code = 0, .detail = "", .time = at(start_of_race)};
  look.seen.facts.standing.outcome = Entry{};
  look.seen.facts.standing.outcome->time = at(start_of_race);
  look.set_time(start_of_race + 300);
  CHECK(does_nothing(reconcile(look.seen)));  // without a record of its end the command may be alive
  look.seen.facts.exit = ExitRecord{.code = 0, .time = {}, .job = JobId{11}, .kind = ExitKind::exited};
  CHECK(reconcile(look.seen).cancel.size() == 1);
  // It copies the output, and an older rv wrote the outcome meanwhile.
  look.seen.facts.copies = {.announced = 1, .copied = 0, .failed = 0};
  CHECK(does_nothing(reconcile(look.seen)));
  look.seen.facts.outcome->copy = CopyState::timeout;
  CHECK(reconcile(look.seen).cancel.size() == 1);
  look.set_time(start_of_race + 60);
  CHECK(does_nothing(reconcile(look.seen)));
}

TEST_CASE("a retry whose submission was cut short ends as the attempt before it did") {
  Look look;
  look.seen.facts.standing.attempt = 2;
  look.seen.facts.standing.retry = Entry{};
  look.seen.facts.standing.retry->time = at(start_of_race);
  look.seen.facts.earlier_end =
      Outcome{.state = RunState::failed, .exit_code = 7, .detail = "exit code 7", .time = at(start_of_race)};
  CHECK(reconcile(look.seen).view.state == RunState::submitting);  // another rv resumes it
  look.set_time(start_of_race + 700);
  look.noted(EventKind::unrecorded_end, 0, start_of_race + 600);
  const auto decision = reconcile(look.seen);
  CHECK(decision.over);
  CHECK(decision.view.state == RunState::failed);
  CHECK(decision.view.exit_code == 7);
  look.seen.queue.answered = false;
  CHECK(!reconcile(look.seen).over);
}
