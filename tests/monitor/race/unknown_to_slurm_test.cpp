#include "monitor/race/unknown_to_slurm.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

rv::slurm::ControllerIdentity controller(const char* cluster, std::optional<TimePoint> boot_time) {
  return {.cluster_name = cluster, .boot_time = boot_time, .min_job_age = std::chrono::seconds(300)};
}

Event event(EventKind kind, int candidate, unsigned job, int time) {
  return {.time = at(time), .name = kind, .candidate = candidate, .job = JobId{job}, .more = nlohmann::json::object()};
}

// Two candidates, both forgotten.
struct Race {
  RunFacts facts;
  RunView view;

  Race() {
    for (int number : {1, 2}) {
      const auto job = static_cast<unsigned>(100 + number);
      facts.events.push_back(event(EventKind::submitted, number, job, number));
      CandidateView candidate;
      candidate.candidate.number = number;
      candidate.journal.job = JobId{job};
      candidate.status = JobStatus{};
      candidate.status->phase = Phase::ended;
      candidate.status->ending = Ending::forgotten;
      view.candidates.push_back(candidate);
    }
  }
};

}  // namespace

TEST_CASE("forgotten is only a job that the controller would still have, had it ended") {
  const Sighting alive{.moment = {"boot", 1000}, .time = at(40)};
  CHECK(ending_of_unknown(controller("held", at(50)), "held", alive, {"boot", 1200}) == Ending::forgotten);
  // It may have been cancelled and purged before the controller came up again: nobody looked for MinJobAge.
  CHECK(ending_of_unknown(controller("held", at(50)), "held", alive, {"boot", 1300}) == Ending::purged);
  // This controller is the one that had it.
  CHECK(ending_of_unknown(controller("held", at(30)), "held", alive, {"boot", 1200}) == Ending::purged);
  CHECK(ending_of_unknown(controller("held", std::nullopt), "held", alive, {"boot", 1200}) == Ending::purged);
  // Never seen by this machine, or before it was booted.
  CHECK(ending_of_unknown(controller("held", at(50)), "held", std::nullopt, {"boot", 1200}) == Ending::purged);
  CHECK(ending_of_unknown(controller("held", at(50)), "held", alive, {"another", 1200}) == Ending::purged);
}

TEST_CASE("another cluster's controller proves nothing about a job") {
  const Sighting alive{.moment = {"boot", 1000}, .time = at(40)};
  CHECK(!ending_of_unknown(controller("held", at(50)), "afton", alive, {"boot", 1001}));
  CHECK(!ending_of_unknown(controller("", at(50)), "", alive, {"boot", 1001}));
}

TEST_CASE("a race that was forgotten whole runs again, without the nodes left out before") {
  Race race;
  auto again = forgotten_race(race.facts, race.view);
  REQUIRE(again);
  CHECK(!again->failed);
  CHECK(again->length == 0);
  CHECK(again->why == "the controller restarted without its jobs (101, 102)");

  Entry retry;
  retry.kind = EntryKind::retry;
  retry.more = {{"exclude", {"n1"}}};
  race.facts.standing.retry = retry;
  race.facts.standing.attempt = 2;
  race.facts.standing.length = 5;
  again = forgotten_race(race.facts, race.view);
  REQUIRE(again);
  CHECK(again->length == 5);
  CHECK(again->exclude == std::vector<std::string>{"n1"});
  race.facts.standing.attempt = 3;
  CHECK(!forgotten_race(race.facts, race.view));  // often enough
}

TEST_CASE("a race is not run again when anything of it lives, started, was stopped or ended otherwise") {
  const auto refused = [](auto&& change) {
    Race race;
    change(race);
    return !forgotten_race(race.facts, race.view);
  };
  CHECK(refused([](Race& race) { race.view.candidates[1].status->phase = Phase::pending; }));
  CHECK(refused([](Race& race) { race.view.candidates[1].status.reset(); }));
  CHECK(refused([](Race& race) { race.view.candidates[1].status->ending = Ending::purged; }));
  CHECK(refused([](Race& race) { race.view.candidates[1].status->ending = Ending::cancelled; }));
  CHECK(refused([](Race& race) { race.view.candidates.clear(); }));
  CHECK(refused([](Race& race) { race.facts.claim = Claim{}; }));
  CHECK(refused([](Race& race) { race.facts.exit = ExitRecord{}; }));
  CHECK(refused([](Race& race) { race.facts.outcome = Outcome{}; }));
  CHECK(refused([](Race& race) { race.facts.being_submitted = true; }));
  CHECK(refused([](Race& race) { race.facts.record.job.array = templates::JobArray{{0, 1}, 0}; }));
  CHECK(refused([](Race& race) { race.facts.standing.stop = Entry{}; }));
}

TEST_CASE("when the last candidate was submitted") {
  Race race;
  CHECK(last_submission(race.facts) == at(2));
  race.facts.events.push_back(event(EventKind::unknown_to_slurm, 1, 101, 90));
  CHECK(last_submission(race.facts) == at(2));
  CHECK(!last_submission(RunFacts{}));
}
