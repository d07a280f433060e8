#include "monitor/jobs/start_estimate.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using std::chrono::seconds;

namespace {

TimePoint at(int second) {
  return TimePoint(seconds(second));
}

CandidateView waiting(std::optional<int> planned, std::optional<int> predicted, Phase phase = Phase::pending) {
  CandidateView view;
  JobStatus status;
  status.phase = phase;
  if (planned) status.start = at(*planned);
  view.status = status;
  if (predicted) view.candidate.wait.p50 = seconds(*predicted);
  return view;
}

RunView queued(std::vector<CandidateView> candidates) {
  RunView view;
  view.state = RunState::queued;
  view.candidates = std::move(candidates);
  return view;
}

}  // namespace

TEST_CASE("the earliest estimate over all candidates and sources is used") {
  const auto both = estimate_start(queued({waiting(900, 300), waiting(700, std::nullopt)}), at(100), at(150));
  REQUIRE(both);
  CHECK(both->time == at(400));
  CHECK(both->basis == "predicted at submission");
  // What was predicted has passed: Slurm's plan is what is left.
  const auto late = estimate_start(queued({waiting(900, 300), waiting(700, std::nullopt)}), at(100), at(500));
  REQUIRE(late);
  CHECK(late->time == at(700));
  CHECK(late->basis == "Slurm's plan");
}

TEST_CASE("with an unknown reason only Slurm's estimate remains") {
  auto candidate = waiting(900, 300);
  candidate.status->reason = "SomethingNew";
  const auto start = estimate_start(queued({candidate}), at(100), at(150));
  REQUIRE(start);
  CHECK(start->basis == "Slurm's plan");
  candidate.status->start.reset();
  CHECK(!estimate_start(queued({candidate}), at(100), at(150)));
}

TEST_CASE("the text of a wait has its range, its basis and the first prediction") {
  auto both = waiting(std::nullopt, 1200);
  both.candidate.wait.p10 = seconds(300);
  both.candidate.wait.p90 = seconds(2400);
  const auto predicted = estimate_start(queued({both}), at(0), at(600));
  REQUIRE(predicted);
  CHECK(in_words(*predicted, at(600)) == "in about 10m (0s to 30m, predicted at submission)");
  // Slurm's plan is what is left, and later than what was said.
  const auto later = estimate_start(queued({waiting(9000, 1200)}), at(0), at(1800));
  REQUIRE(later);
  CHECK(in_words(*later, at(1800)) == "in about 2h (Slurm's plan; first prediction: 10m ago)");
  CHECK(!later->earliest);
  const auto planned = estimate_start(queued({waiting(660, std::nullopt)}), at(0), at(60));
  REQUIRE(planned);
  CHECK(in_words(*planned, at(60)) == "in about 10m (Slurm's plan)");
}

TEST_CASE("without any estimate the text says so") {
  CHECK(!estimate_start(queued({waiting(std::nullopt, std::nullopt)}), at(0), at(1)));
  CHECK(!estimate_start(queued({waiting(100, 100)}), at(0), at(200)));
  CHECK(!estimate_start(queued({waiting(900, 900, Phase::held)}), at(0), at(1)));
  auto running = queued({waiting(900, 900)});
  running.state = RunState::running;
  CHECK(!estimate_start(running, at(0), at(1)));
}
