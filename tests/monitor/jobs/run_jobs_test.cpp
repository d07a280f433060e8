#include "monitor/jobs/run_jobs.h"

#include <doctest/doctest.h>

#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;
using rv::slurm::QueueRow;

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

TEST_CASE("a job that has recorded its end may be submitting the next attempt, until that has begun") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  facts.standing.attempt = 2;
  const QueueView queue{
      .answered = true, .trouble = "", .rows = {row(10, "RUNNING", "x@k3f9x2.1"), row(12, "PENDING", "x@k3f9x2.1.2")}};
  const std::vector<JobKey> earlier{{JobId{10}, "x@k3f9x2.1"}};
  CHECK(losers(facts, queue) == earlier);
  Entry exit;
  exit.kind = EntryKind::exit;
  exit.attempt = 1;
  exit.job = JobId{10};
  facts.ledger.push_back(exit);
  CHECK(losers(facts, queue).empty());
  const QueueView requeued{.answered = true, .trouble = "", .rows = {row(10, "PENDING", "x@k3f9x2.1")}};
  CHECK(losers(facts, requeued) == earlier);
  facts.stop_requested = true;
  CHECK(losers(facts, queue) == earlier);
  facts.stop_requested = false;
  claimed(facts, 1, 12);
  CHECK(losers(facts, queue) == earlier);
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

TEST_CASE("a job is identified by ID and name, so a recycled ID does not match") {
  const QueueView queue{.answered = true, .trouble = "", .rows = {row(10, "RUNNING", "somebody")}};
  CHECK(queue.find({JobId{10}, "x@k3f9x2.1"}) == nullptr);
  CHECK(queue.find({JobId{10}, "somebody"}) != nullptr);
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
