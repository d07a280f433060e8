#include "monitor/jobs/run_view.h"

#include <doctest/doctest.h>

#include "monitor/jobs/run_jobs.h"

using namespace rv;
using namespace rv::monitor;
using rv::slurm::QueueRow;

namespace {

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

RunFacts race_of(int candidates, bool hold = false) {
  RunFacts facts;
  facts.record.id = "k3f9x2";
  facts.record.job.hold = hold;
  for (int i = 1; i <= candidates; ++i) {
    Candidate candidate;
    candidate.number = i;
    candidate.job_name = "x@k3f9x2." + std::to_string(i);
    candidate.summary = "way " + std::to_string(i);
    facts.record.candidates.push_back(candidate);
  }
  return facts;
}

void add(RunFacts& facts, EventKind kind, int candidate, unsigned job = 0,
         nlohmann::json more = nlohmann::json::object()) {
  Event event{.time = at(1), .name = kind, .candidate = candidate, .job = std::nullopt, .more = std::move(more)};
  if (job != 0) event.job = JobId{job};
  facts.events.push_back(std::move(event));
}

void submitted(RunFacts& facts, int candidate, unsigned job) {
  add(facts, EventKind::intent, candidate);
  add(facts, EventKind::submitted, candidate, job);
}

void claimed(RunFacts& facts, int candidate, unsigned job) {
  facts.claim = Claim{.by_stop = false, .candidate = candidate, .job = JobId{job}, .node = "n1", .time = at(2)};
  add(facts, EventKind::claimed, candidate, job, {{"nodes", "n[1-2]"}});
}

void started(RunFacts& facts) {
  facts.standing.start = Entry{};
}

QueueRow row(unsigned job, const char* state, const std::string& name, const char* reason = "None") {
  QueueRow r;
  r.id = JobId{job};
  r.state = state;
  r.reason = reason;
  r.name = name;
  return r;
}

std::map<JobId, JobStatus> slurm_says(std::initializer_list<std::pair<unsigned, const char*>> words) {
  std::map<JobId, JobStatus> statuses;
  for (const auto& [job, word] : words) {
    auto& status = statuses[JobId{job}] = status_of(row(job, word, ""));
    status.restarts = 0;
  }
  return statuses;
}

}  // namespace

TEST_CASE("before a candidate is accepted the run is being submitted, or its submission has stopped") {
  auto facts = race_of(2);
  facts.being_submitted = true;
  CHECK(assess(facts, {}, at(100)).state == RunState::submitting);
  facts.being_submitted = false;
  CHECK(assess(facts, {}, at(100)).state == RunState::unsubmitted);
}

TEST_CASE("a configuring candidate has not started") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  const auto view = assess(facts, slurm_says({{10, "PENDING"}, {11, "CONFIGURING"}}), at(100));
  CHECK(view.state == RunState::starting);
  CHECK(!view.winner);
  CHECK(losers(facts, {.answered = true, .trouble = "", .rows = {row(10, "PENDING", "x@k3f9x2.1")}}).empty());
}

TEST_CASE("a queued race shows the reason of its wait") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  std::map<JobId, JobStatus> statuses{{JobId{10}, status_of(row(10, "PENDING", "", "Priority"))}};
  const auto view = assess(facts, statuses, at(100));
  CHECK(view.state == RunState::queued);
  CHECK(view.detail == "way 1: other jobs are ahead in the queue");
}

TEST_CASE("absent is not ended") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  CHECK(assess(facts, {}, at(100)).state == RunState::queued);  // nobody was asked
  CHECK(assess(facts, {{JobId{10}, JobStatus{}}}, at(100)).state == RunState::unknown);
  claimed(facts, 1, 10);
  started(facts);
  CHECK(assess(facts, {}, at(100)).state == RunState::running);
  CHECK(assess(facts, {{JobId{10}, JobStatus{}}}, at(100)).state == RunState::unknown);
}

TEST_CASE("a race whose candidates were all rejected is over, with Slurm's message") {
  auto facts = race_of(2);
  add(facts, EventKind::refused, 1, 0, {{"message", "too much"}});
  facts.being_submitted = true;
  CHECK(!is_final(assess(facts, {}, at(100)).state));
  facts.being_submitted = false;
  add(facts, EventKind::refused, 2, 0, {{"message", "no"}});
  const auto view = assess(facts, {}, at(100));
  CHECK(view.state == RunState::refused);
  CHECK(view.detail == "too much");
}

TEST_CASE("the winner's phases") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  claimed(facts, 2, 11);
  CHECK(assess(facts, slurm_says({{11, "RUNNING"}}), at(100)).state == RunState::starting);
  started(facts);
  auto view = assess(facts, slurm_says({{11, "RUNNING"}}), at(100));
  CHECK(view.state == RunState::running);
  CHECK(view.winner == 2);
  CHECK(view.nodes == "n[1-2]");
  CHECK(assess(facts, slurm_says({{11, "COMPLETING"}}), at(100)).state == RunState::ending);
  CHECK(assess(facts, slurm_says({{11, "PENDING"}}), at(100)).state == RunState::queued);  // requeued
}

TEST_CASE("a held allocation") {
  auto facts = race_of(1, /*hold=*/true);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  CHECK(assess(facts, slurm_says({{10, "RUNNING"}}), at(100)).state == RunState::holding);
  facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  CHECK(assess(facts, slurm_says({{10, "TIMEOUT"}}), at(100)).state == RunState::timeout);
  CHECK(assess(facts, {}, at(100)).state == RunState::ending);  // why it was asked to end is not known yet
  facts.stop_requested = true;
  CHECK(assess(facts, {}, at(100)).state == RunState::done);
  facts.record.job.hold = false;
  CHECK(assess(facts, {}, at(100)).state == RunState::stopped);
}

TEST_CASE("a held allocation that its job released shows the reason") {
  auto facts = race_of(1, /*hold=*/true);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  CHECK(assess(facts, {}, at(100)).detail == "released");
  add(facts, EventKind::ended, 1, 10, {{"unattended_s", 900}});
  CHECK(assess(facts, {}, at(100)).detail == "released: no shell was open for 15m");
  add(facts, EventKind::ended, 1, 10, {{"idle_s", 1200}});
  CHECK(assess(facts, {}, at(100)).detail == "released: its GPUs were idle for 20m");
}

TEST_CASE("a running job's latest end follows from start and time limit; waiting, ended and chained runs have none") {
  auto facts = race_of(1);
  facts.record.candidates[0].time_limit = std::chrono::minutes(10);
  submitted(facts, 1, 10);
  CHECK(!ends_by(assess(facts, slurm_says({{10, "PENDING"}}), at(100))));
  claimed(facts, 1, 10);
  started(facts);
  const auto running = assess(facts, slurm_says({{10, "RUNNING"}}), at(100));
  CHECK(ends_by(running) == at(602));
  CHECK(time_limit_of(running) == std::chrono::minutes(10));
  facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  CHECK(!ends_by(assess(facts, {}, at(100))));
  facts.exit.reset();
  facts.record.job.array = templates::JobArray{.elements = {0, 1}, .at_once = 0};
  CHECK(!ends_by(assess(facts, slurm_says({{10, "RUNNING"}}), at(100))));
}

TEST_CASE("the command's own exit code overrides Slurm's state") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.exit = ExitRecord{.code = 3, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  for (const char* word : {"RUNNING", "COMPLETING", "FAILED", "COMPLETED", "WARPED"}) {
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::failed);
    CHECK(view.exit_code == 3);
  }
  facts.exit->code = 0;
  CHECK(assess(facts, {}, at(100)).state == RunState::done);
}

TEST_CASE("a command that received a TERM ended for Slurm's reason, not with its own code") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  const std::pair<const char*, RunState> ends[] = {{"TIMEOUT", RunState::timeout},
                                                   {"CANCELLED", RunState::stopped},
                                                   {"PREEMPTED", RunState::preempted},
                                                   {"NODE_FAIL", RunState::node_failure},
                                                   {"OUT_OF_MEMORY", RunState::out_of_memory}};
  for (const auto& [end, state] : ends) {
    const char* const word = end;
    CAPTURE(word);
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == state);
    CHECK(!view.exit_code);
  }
}

TEST_CASE("an end without an exit record is never a success") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  CHECK(assess(facts, slurm_says({{10, "COMPLETED"}}), at(100)).state == RunState::lost);
  CHECK(assess(facts, slurm_says({{10, "FAILED"}}), at(100)).state == RunState::lost);
  CHECK(assess(facts, slurm_says({{10, "NODE_FAIL"}}), at(100)).state == RunState::node_failure);
  CHECK(assess(facts, slurm_says({{10, "TIMEOUT"}}), at(100)).state == RunState::timeout);
}

TEST_CASE("a later attempt that begins no user code does not hide the end of the one before") {
  auto facts = race_of(1);
  facts.earlier_end = Outcome{.state = RunState::failed, .exit_code = 7, .detail = "exit code 7", .time = at(1)};
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  for (const char* const word : {"TIMEOUT", "NODE_FAIL", "CANCELLED", "FAILED"}) {
    CAPTURE(word);
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::failed);
    CHECK(view.exit_code == 7);
  }
  started(facts);
  CHECK(assess(facts, slurm_says({{10, "TIMEOUT"}}), at(100)).state == RunState::timeout);
}

TEST_CASE("after the end of a run with requeued jobs, Slurm is queried for remaining jobs") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.standing.claim = Entry{};
  facts.standing.claim->candidate = 1;
  facts.outcome = Outcome{.state = RunState::done, .exit_code = 0, .detail = "", .time = at(50)};
  CHECK_FALSE(may_have_left_jobs(facts));
  facts.record.job.requeue = true;
  CHECK(may_have_left_jobs(facts));
}

TEST_CASE("candidates that end before the gate end the run") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  CHECK(!is_final(assess(facts, slurm_says({{10, "CANCELLED"}, {11, "PENDING"}}), at(100)).state));
  CHECK(assess(facts, slurm_says({{10, "CANCELLED"}, {11, "CANCELLED"}}), at(100)).state == RunState::stopped);
  CHECK(assess(facts, slurm_says({{10, "FAILED"}, {11, "FAILED"}}), at(100)).state == RunState::lost);
}

TEST_CASE("a command received a TERM and Slurm has no record of the job") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  JobStatus status;
  status.unknown_to_slurm = true;
  CHECK(assess(facts, {{JobId{10}, status}}, at(100)).state == RunState::ending);
  status.phase = Phase::ended;
  for (const auto ending : {Ending::forgotten, Ending::purged}) {
    status.ending = ending;
    CHECK(assess(facts, {{JobId{10}, status}}, at(100)).state == RunState::lost);
  }
}

TEST_CASE("a command received a TERM and Slurm has not ended the job") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  for (const auto* state : {"COMPLETING", "REQUEUE_HOLD", "PENDING"}) {
    CAPTURE(state);
    CHECK(assess(facts, slurm_says({{10, state}}), at(100)).state == RunState::ending);
    const auto later = assess(facts, slurm_says({{10, state}}), at(400));
    CHECK(later.state == RunState::failed);
    CHECK(later.exit_code == 143);
    // Slurm may start this one again.
    facts.record.job.requeue = true;
    CHECK(!is_final(assess(facts, slurm_says({{10, state}}), at(400)).state));
    facts.record.job.requeue = false;
  }
}

TEST_CASE("a stopped race is over even if Slurm still has its jobs") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  facts.claim = Claim{.by_stop = true, .candidate = 0, .job = {}, .node = "login1", .time = at(4)};
  CHECK(assess(facts, slurm_says({{10, "PENDING"}}), at(100)).state == RunState::stopped);
}

TEST_CASE("a job of a later attempt than the ledger shows is not a loser: the view is old") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  const QueueView queue{
      .answered = true, .trouble = "", .rows = {row(10, "RUNNING", "x@k3f9x2.1"), row(12, "PENDING", "x@k3f9x2.1.2")}};
  CHECK(losers(facts, queue).empty());
  facts.standing.attempt = 2;
  facts.claim->job = JobId{12};
  CHECK(losers(facts, queue) == std::vector<JobKey>{{JobId{10}, "x@k3f9x2.1"}});
}

TEST_CASE("a command that has ended is not over while its job copies the output") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 0, .time = at(50), .job = JobId{10}, .kind = ExitKind::exited};
  facts.copies = {.announced = 1};
  for (const char* alive : {"RUNNING", "COMPLETING", "SUSPENDED"}) {
    const auto view = assess(facts, slurm_says({{10, alive}}), at(100));
    CHECK(view.state == RunState::ending);
    CHECK(view.output_copy == CopyState::under_way);
    CHECK(view.exit_code == 0);
  }
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::under_way);
  const std::pair<const char*, CopyState> ends[] = {{"TIMEOUT", CopyState::timeout},
                                                    {"CANCELLED", CopyState::cancelled},
                                                    {"NODE_FAIL", CopyState::unknown},
                                                    {"COMPLETED", CopyState::unknown},
                                                    {"PENDING", CopyState::requeued}};
  for (const auto& [word, copy] : ends) {
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::done);
    CHECK(view.exit_code == 0);
    CHECK(view.output_copy == copy);
    CHECK(view.detail == "exit code 0; " + std::string(in_words(copy)));
  }
  facts.copies.copied = 1;
  const auto copied = assess(facts, slurm_says({{10, "RUNNING"}}), at(100));
  CHECK(copied.state == RunState::done);
  CHECK(copied.detail == "exit code 0");
  facts.copies = {.announced = 1, .copied = 0, .failed = 1};
  CHECK(assess(facts, {}, at(100)).detail == "exit code 0; not all of its output could be copied");
  facts.copies.trouble = "--output r: does not exist after the run";
  CHECK(assess(facts, {}, at(100)).detail == "exit code 0; --output r: does not exist after the run");
  CHECK(assess(facts, {}, at(100)).copy_trouble == "--output r: does not exist after the run");
}

TEST_CASE("a follower compares the sizes of the logs of all elements that have ended") {
  auto facts = race_of(1);
  facts.record.job.array = templates::JobArray{.elements = {0, 1, 2}, .at_once = 0};
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  for (const int index : {0, 1}) {
    ExitRecord exit{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
    exit.log_sizes = {{std::to_string(index) + ".out", 100 + index}};
    facts.elements.push_back({.index = index, .start = Entry{}, .exit = exit});
  }
  const std::map<std::string, long long> both{{"0.out", 100}, {"1.out", 101}};
  CHECK(assess(facts, slurm_says({{10, "FAILED"}}), at(100)).log_sizes == both);
  facts.record.job.array->elements = {0, 1};
  facts.exit = facts.elements[0].exit;
  CHECK(assess(facts, {}, at(100)).log_sizes == both);
}

TEST_CASE("an outcome stores the result of the copy, and a later mark overrides it") {
  auto facts = race_of(1);
  facts.exit = ExitRecord{.code = 0, .time = at(50), .job = JobId{10}, .kind = ExitKind::exited};
  facts.outcome =
      Outcome{.state = RunState::done, .exit_code = 0, .detail = "d", .time = {}, .copy = CopyState::timeout};
  facts.copies = {.announced = 1};
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::timeout);
  facts.outcome->copy.reset();
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::unknown);
  facts.copies.copied = 1;
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::copied);
  CHECK(assess(facts, {}, at(100)).detail == "d");
}

TEST_CASE("the job that ended the run and copies its output is not a loser, in a chain a later one too") {
  auto facts = race_of(1);
  facts.record.job.chain = templates::Chain{};
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  const QueueView queue{.answered = true, .trouble = "", .rows = {row(11, "RUNNING", "x@k3f9x2.1")}};
  facts.exit = ExitRecord{.code = 0, .time = at(50), .job = JobId{11}, .kind = ExitKind::exited};
  CHECK(losers(facts, queue).empty());
  facts.exit->job = JobId{10};
  CHECK(losers(facts, queue).size() == 1);
}

TEST_CASE("losers are this run's own live jobs, by their whole name") {
  auto facts = race_of(3);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  claimed(facts, 2, 11);
  const QueueView queue{.answered = true,
                        .trouble = "",
                        .rows = {row(10, "PENDING", "x@k3f9x2.1"), row(11, "RUNNING", "x@k3f9x2.2"),
                                 row(12, "PENDING", "x@k3f9x2.3"),  // accepted without an answer
                                 row(13, "PENDING", "x@k3f9x2.33"), row(14, "PENDING", "y"),
                                 row(15, "CANCELLED", "x@k3f9x2.1"), row(16, "PENDING", "x@other2.1")}};
  CHECK(losers(facts, queue) == std::vector<JobKey>{{JobId{10}, "x@k3f9x2.1"}, {JobId{12}, "x@k3f9x2.3"}});
  facts.claim.reset();
  CHECK(losers(facts, queue).empty());  // nobody has won yet
}

TEST_CASE("only jobs that may be alive are queried") {
  auto facts = race_of(3);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  add(facts, EventKind::yielded, 2, 11);
  CHECK(open_jobs(facts).size() == 1);
  CHECK(open_jobs(facts)[0].id == JobId{10});
  claimed(facts, 1, 10);
  submitted(facts, 3, 12);
  CHECK(open_jobs(facts).size() == 1);
  facts.outcome = Outcome{};
  CHECK(open_jobs(facts).empty());
}

TEST_CASE("a wrong GPU gives a warning") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  add(facts, EventKind::wrong_gpu, 1, 10, {{"asked", "v100"}, {"got", "NVIDIA RTX A6000"}, {"node", "n1"}});
  const auto view = assess(facts, {}, at(100));
  REQUIRE(view.warnings.size() == 1);
  CHECK(view.warnings[0] == "asked for v100, got NVIDIA RTX A6000 on n1");
}

TEST_CASE("a job is identified by ID and name, so a recycled ID does not match") {
  const QueueView queue{.answered = true, .trouble = "", .rows = {row(10, "RUNNING", "somebody")}};
  CHECK(queue.find({JobId{10}, "x@k3f9x2.1"}) == nullptr);
  CHECK(queue.find({JobId{10}, "somebody"}) != nullptr);
  CHECK(queue.find_name("x@k3f9x2.1") == nullptr);
}

TEST_CASE("a command received a TERM because of a preemption") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::preempted};
  // Whatever Slurm calls it: some releases say FAILED.
  for (const char* word : {"FAILED", "PREEMPTED", "RUNNING"}) {
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::preempted);
    CHECK(!view.exit_code);
  }
  facts.record.job.requeue = true;
  CHECK(assess(facts, slurm_says({{10, "FAILED"}}), at(100)).state == RunState::preempted);
  CHECK(assess(facts, slurm_says({{10, "RUNNING"}}), at(100)).state == RunState::ending);
  const auto again = assess(facts, slurm_says({{10, "PENDING"}}), at(100));
  CHECK(again.state == RunState::queued);
  CHECK(!again.ended);
  facts.exit->kind = ExitKind::terminated;
  CHECK(assess(facts, slurm_says({{10, "PENDING"}}), at(100)).state == RunState::queued);
}

TEST_CASE("a job that was requeued by hand, and stood back then, got its TERM from Slurm") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(5), .job = JobId{10}, .kind = ExitKind::terminated};
  const auto by_itself = assess(facts, slurm_says({{10, "COMPLETED"}}), at(100));
  CHECK(by_itself.detail == "exit code 143 (SIGTERM) after TERM that Slurm did not send");
  CHECK(by_itself.unexplained_term);
  auto later_start = facts;
  add(later_start, EventKind::claimed, 1, 10, {{"restarts", 1}});
  CHECK_FALSE(assess(later_start, slurm_says({{10, "FAILED"}}), at(100)).unexplained_term);
  add(facts, EventKind::stood_back, 1, 11);
  CHECK(assess(facts, slurm_says({{10, "COMPLETED"}}), at(100)).detail == by_itself.detail);
  add(facts, EventKind::stood_back, 1, 10);
  const auto requeued = assess(facts, slurm_says({{10, "COMPLETED"}}), at(100));
  CHECK(requeued.state == RunState::failed);
  CHECK(requeued.exit_code == 143);
  CHECK(requeued.detail.find("was requeued") != std::string::npos);
}

TEST_CASE("a requeued job that its node refused to start again got its TERM from Slurm") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(5), .job = JobId{10}, .kind = ExitKind::terminated};
  auto statuses = slurm_says({{10, "FAILED"}});
  CHECK(assess(facts, statuses, at(100)).unexplained_term);
  statuses.at(JobId{10}).restarts = 1;
  const auto view = assess(facts, statuses, at(100));
  CHECK_FALSE(view.unexplained_term);
  CHECK(view.exit_code == 143);
  CHECK(view.detail.find("was requeued (scontrol requeue or requeuehold), and the command may run only once") !=
        std::string::npos);
  // squeue's row has no count of restarts, and neither the controller nor accounting has answered about it.
  statuses.at(JobId{10}).restarts.reset();
  const auto unknown = assess(facts, statuses, at(100'000));
  CHECK(unknown.state == RunState::ending);
  CHECK_FALSE(unknown.exit_code);
  auto stood_back = facts;
  add(stood_back, EventKind::stood_back, 1, 10);
  CHECK(assess(stood_back, statuses, at(100)).state == RunState::failed);
  statuses.at(JobId{10}).restarts = 1;
  // An exit of that later start is the command's own again.
  Entry exit;
  exit.restart = 1;
  facts.standing.exit = exit;
  CHECK(assess(facts, statuses, at(100)).unexplained_term);
}

TEST_CASE("an ended run may have left jobs that were not cancelled") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  CHECK(!may_have_left_jobs(facts));
  facts.outcome = Outcome{};
  Entry claim;
  claim.candidate = 1;
  facts.standing.claim = claim;
  CHECK(may_have_left_jobs(facts));
  SUBCASE("until the other one is cancelled") {
    add(facts, EventKind::cancelled, 0, 11);
  }
  SUBCASE("or has stood back") {
    add(facts, EventKind::yielded, 2, 11);
  }
  CHECK(!may_have_left_jobs(facts));
}

TEST_CASE("so may one that was stopped while an sbatch was under way") {
  auto facts = race_of(1);
  facts.outcome = Outcome{};
  CHECK(!may_have_left_jobs(facts));
  add(facts, EventKind::intent, 1);
  CHECK(may_have_left_jobs(facts));
  add(facts, EventKind::refused, 1, 0, {{"message", "no"}});
  CHECK(!may_have_left_jobs(facts));
}
