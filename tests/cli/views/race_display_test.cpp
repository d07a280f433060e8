#include "cli/views/race_display.h"

#include <doctest/doctest.h>

#include "shared/time_text.h"

using namespace rv;
using namespace rv::cli;
using monitor::RunState;

namespace {

monitor::RunView two_candidates(RunState state) {
  monitor::RunView view;
  view.state = state;
  for (int number = 1; number <= 2; ++number) {
    monitor::CandidateView candidate;
    candidate.candidate.number = number;
    candidate.candidate.summary = "way " + std::to_string(number);
    candidate.journal.job = slurm::JobId{static_cast<unsigned>(9 + number)};
    view.candidates.push_back(std::move(candidate));
  }
  return view;
}

}  // namespace

TEST_CASE("with a winner, running or ended, no other candidate is shown as submitted") {
  auto view = two_candidates(RunState::queued);
  CHECK(candidate_lines(view)[0] == " 1  way 1      job 10  submitted");
  view.winner = 1;
  view.state = RunState::running;
  CHECK(candidate_lines(view)[0] == " 1  way 1      job 10  won");
  CHECK(candidate_lines(view)[1] == " 2  way 2      job 11  not needed");
  view.state = RunState::done;
  CHECK(candidate_lines(view)[0] == " 1  way 1      job 10  won, done");
  view.state = RunState::timeout;
  CHECK(candidate_lines(view)[0] == " 1  way 1      job 10  won, timeout");
}

TEST_CASE("an sbatch that does not answer is what the run waits for") {
  auto silent = two_candidates(RunState::submitting);
  silent.candidates[0].journal.job.reset();
  silent.candidates[0].journal.unanswered = 3;
  silent.candidates[0].journal.no_answer = "Socket timed out on send/recv operation";
  CHECK(
      candidate_lines(silent)[0] ==
      " 1  way 1           -  waiting for sbatch: 3 calls without an answer (Socket timed out on send/recv operation); "
      "tried again after growing pauses");
}

TEST_CASE("during the pause before a retry a candidate shows when the next attempt starts") {
  auto view = two_candidates(RunState::queued);
  auto& status = view.candidates[0].status.emplace();
  status.phase = monitor::Phase::pending;
  status.reason = "BeginTime";
  CHECK(candidate_lines(view)[0].find("its begin time has not been reached") != std::string::npos);
  const monitor::TimePoint begins{std::chrono::seconds(1'760'000'000)};
  view.retry = monitor::RetryRecord{
      .why = "exit code 75", .asked = 1, .pause = std::chrono::seconds(10), .begins = begins, .last_line = ""};
  CHECK(candidate_lines(view)[0] == " 1  way 1      job 10  pending: the next attempt starts at " + local_time(begins));
}
