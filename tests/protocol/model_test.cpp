// The protocol holds in every order of steps, and each way in which it once did not is found.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>

#include "explore.h"

using namespace protocol;

namespace {

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void holds(const std::string& what, const Setting& setting, int jobs = max_jobs) {
  const auto began = std::chrono::steady_clock::now();
  const auto all = explore(setting, jobs);
  MESSAGE(what << ": " << all.states << " states, " << all.steps << " steps, up to " << all.longest << " in a row, "
               << seconds_since(began) << " s");
  CHECK_MESSAGE(all.fault == Fault::none, std::string(in_words(all.fault)) << "\n" << all.history);
  CHECK(all.states > 10'000);
}

void is_found(const std::string& what, const Setting& setting, Fault fault) {
  const auto all = explore(setting);
  CHECK_MESSAGE(all.fault == fault, what << ": found after " << all.states << " states: " << in_words(all.fault));
  MESSAGE(what << ": after " << all.states << " states " << std::string(in_words(all.fault)) << "\n" << all.history);
}

}  // namespace

// Two clients poll the run continuously.
TEST_CASE("a job and its successors: each operation on the run folder is separate, with a fault and a stop") {
  holds("once", {.candidates = 1, .faults = 1, .stops = 1});
}

TEST_CASE("a job and its successors: two faults") {
  holds("once", {.candidates = 1, .faults = 2, .stops = 0, .links_at_once = true});
  holds("with --requeue", {.requeue = true, .candidates = 1, .faults = 2, .stops = 0, .links_at_once = true}, 2);
}

TEST_CASE("a job and its successors: a fault and a stop") {
  holds("once", {.candidates = 1, .faults = 1, .stops = 1, .links_at_once = true});
  holds("with --requeue", {.requeue = true, .candidates = 1, .faults = 1, .stops = 1, .links_at_once = true});
  holds("with nodes whose clocks are behind",
        {.candidates = 1, .faults = 1, .stops = 1, .clocks_behind = true, .links_at_once = true});
}

TEST_CASE("two candidates") {
  holds("two faults", {.candidates = 2, .faults = 2, .stops = 0, .links_at_once = true}, 2);
  holds("a fault and a stop", {.candidates = 2, .faults = 1, .stops = 1, .links_at_once = true}, 2);
  holds("with --requeue", {.requeue = true, .candidates = 2, .faults = 1, .stops = 1, .links_at_once = true}, 2);
}

// Nineteen million states: its own test.
TEST_CASE("two candidates with --requeue and two faults") {
  holds("all", {.requeue = true, .candidates = 2, .faults = 2, .stops = 0, .links_at_once = true}, 2);
}

TEST_CASE("scancel that fails, frozen clients, recycled IDs, suspended jobs, broken hardware, set-up lines") {
  holds("once", {.candidates = 1, .faults = 2, .stops = 0, .links_at_once = true, .attacks = true});
  holds("with --requeue", {.requeue = true, .candidates = 1, .faults = 1, .stops = 0, .attacks = true}, 2);
  holds("with a stop", {.candidates = 1, .faults = 1, .stops = 1, .links_at_once = true, .attacks = true}, 2);
  holds("with --requeue and a stop",
        {.requeue = true, .candidates = 1, .faults = 1, .stops = 1, .links_at_once = true, .attacks = true}, 2);
  holds("with --requeue and a retry that is refused",
        {.requeue = true,
         .candidates = 1,
         .faults = 2,
         .stops = 0,
         .links_at_once = true,
         .attacks = true,
         .refusals = true},
        2);
  holds("two candidates", {.candidates = 2, .faults = 1, .stops = 1, .links_at_once = true, .attacks = true}, 2);
}

TEST_CASE("no job of a run that is over stays in the queue where Slurm does not start it") {
  holds("two candidates",
        {.candidates = 2, .faults = 1, .stops = 1, .links_at_once = true, .attacks = true, .waits = true}, 2);
}

TEST_CASE("a run that follows") {
  holds("once", {.candidates = 1, .faults = 1, .stops = 1, .links_at_once = true, .follower = true});
  holds("with --requeue",
        {.requeue = true, .candidates = 1, .faults = 1, .stops = 1, .links_at_once = true, .follower = true});
}

TEST_CASE("a job that copies the output after its exit entry") {
  const Setting copying{.candidates = 1, .faults = 1, .stops = 1, .links_at_once = true, .copies = true};
  holds("once", copying);
  auto requeue = copying;
  requeue.requeue = true;
  holds("with --requeue", requeue, 2);
  auto attacks = copying;
  attacks.attacks = true;
  holds("attacks", attacks, 2);
}

TEST_CASE("a run with --preflight whose nodes fail") {
  const Setting unfit{.candidates = 1, .faults = 2, .stops = 0, .links_at_once = true, .preflight = true};
  holds("two faults", unfit);
  auto stopped = unfit;
  stopped.faults = stopped.stops = 1;
  holds("a fault and a stop", stopped);
  auto requeue = unfit;
  requeue.requeue = true;
  holds("with --requeue", requeue, 2);
  auto retries = stopped;
  retries.retries = 1;
  holds("with --retries", retries, 3);
  auto candidates = stopped;
  candidates.candidates = 2;
  holds("two candidates", candidates, 2);
  auto follower = stopped;
  follower.follower = true;
  holds("a run that follows", follower);
}

TEST_CASE("a run whose jobs are cancelled because the prolog of their node failed") {
  const Setting prologs{
      .candidates = 1, .faults = 2, .stops = 0, .links_at_once = true, .attacks = true, .prologs = true};
  holds("two faults", prologs);
  auto stopped = prologs;
  stopped.faults = stopped.stops = 1;
  holds("a fault and a stop", stopped, 2);
  auto candidates = stopped;
  candidates.candidates = 2;
  holds("two candidates", candidates, 2);
  auto follower = stopped;
  follower.follower = true;
  holds("a run that follows", follower, 2);
}

TEST_CASE("a run with --retries whose command fails") {
  const Setting retries{.retries = 1, .candidates = 1, .faults = 2, .stops = 0, .links_at_once = true, .attacks = true};
  holds("two faults", retries, 3);
  auto stopped = retries;
  stopped.faults = stopped.stops = 1;
  holds("a fault and a stop", stopped, 3);
  auto requeue = retries;
  requeue.requeue = true;
  requeue.faults = 1;
  holds("with --requeue", requeue, 3);
  auto follower = stopped;
  follower.attacks = false;
  follower.follower = true;
  holds("a run that follows", follower);
  auto copies = stopped;
  copies.copies = true;
  holds("a copy of the output", copies, 2);
}

// RV_WALKS=250000 makes a million of them.
TEST_CASE("long histories with many faults, at random") {
  const char* const wanted = std::getenv("RV_WALKS");
  const int walks = wanted == nullptr ? 10'000 : std::stoi(wanted);
  for (const bool requeue : {false, true}) {
    for (const bool behind : {false, true}) {
      const auto began = std::chrono::steady_clock::now();
      const Setting setting{.requeue = requeue, .candidates = 2, .faults = 6, .stops = 1, .clocks_behind = behind};
      const auto all = wander(setting, walks, 60, requeue + 2U * behind + 1);
      MESSAGE(all.steps << " steps through " << all.states << " states, " << seconds_since(began) << " s");
      CHECK_MESSAGE(all.fault == Fault::none, std::string(in_words(all.fault)) << "\n" << all.history);
      CHECK(all.steps > 250'000);
    }
  }
}

TEST_CASE("each earlier bug is found") {
  is_found("a claim is moved aside, and the job that hangs in its set-up does not look again",
           {.candidates = 1, .faults = 1, .stops = 0, .broken = Broken::start_unseen}, Fault::started_twice);
  is_found("whether it has begun is asked of the events by their time",
           {.candidates = 1, .faults = 1, .stops = 0, .clocks_behind = true, .broken = Broken::begun_by_events},
           Fault::started_twice);
  is_found("the same with a line that is late or lost",
           {.candidates = 1, .faults = 2, .stops = 0, .broken = Broken::begun_by_events}, Fault::started_twice);
  is_found("what an old listing does not show is lost",
           {.candidates = 1, .faults = 0, .stops = 0, .broken = Broken::blind_outcome}, Fault::end_contradicted);
  is_found("an outcome leaves the gate open", {.candidates = 1, .faults = 2, .stops = 0, .broken = Broken::gate_open},
           Fault::started_after_end);
  is_found("a duplicate that has yielded hides the winner",
           {.candidates = 1, .faults = 2, .stops = 0, .broken = Broken::winner_hidden}, Fault::never_over);
  is_found("a job whose preflight has failed starts the command",
           {.candidates = 1, .faults = 1, .stops = 0, .preflight = true, .broken = Broken::unfit_starts},
           Fault::started_after_end);
  is_found("an end counts whoever recorded it", {.candidates = 1, .faults = 2, .stops = 0, .broken = Broken::any_exit},
           Fault::foreign_exit);
  is_found("a job that finished in the grace of its preemption is requeued and starts again",
           {.requeue = true, .candidates = 1, .faults = 1, .stops = 0, .broken = Broken::requeued_anew},
           Fault::started_after_end);
  is_found("an earlier start of a job begins after a later one",
           {.requeue = true, .candidates = 1, .faults = 1, .stops = 0, .broken = Broken::any_start}, Fault::overtaken);
  is_found("a client that was frozen cancels by ID a job that is not the run's",
           {.candidates = 2,
            .faults = 2,
            .stops = 0,
            .links_at_once = true,
            .attacks = true,
            .broken = Broken::cancel_by_id},
           Fault::foreign_cancelled);
  is_found("a client that finds an outcome leaves a job whose scancel had failed",
           {.candidates = 2,
            .faults = 1,
            .stops = 0,
            .links_at_once = true,
            .attacks = true,
            .waits = true,
            .broken = Broken::over_is_over},
           Fault::left_behind);
  is_found("a job that a set-up line ended with 0 counts as done",
           {.candidates = 1, .faults = 1, .stops = 0, .attacks = true, .broken = Broken::end_is_success},
           Fault::unproved_success);
  is_found("a cancelled job that Slurm no longer knows is taken for one that the controller lost",
           {.candidates = 1, .faults = 2, .stops = 0, .attacks = true, .broken = Broken::forgets_ended},
           Fault::came_back);
  is_found("a run with --retries is retried without the record of an end",
           {.retries = 1, .candidates = 1, .faults = 1, .stops = 0, .broken = Broken::retry_without_end},
           Fault::started_twice);
  is_found("a run with one retry is retried twice",
           {.retries = 1,
            .candidates = 1,
            .faults = 2,
            .stops = 0,
            .links_at_once = true,
            .attacks = true,
            .broken = Broken::retries_uncounted},
           Fault::retried_too_often);
  is_found("a run that follows goes by Slurm alone",
           {.candidates = 1, .faults = 1, .stops = 0, .follower = true, .broken = Broken::follower_trusts_slurm},
           Fault::misled);
  is_found("an exit entry is the end, while its job still copies",
           {.candidates = 1, .faults = 0, .stops = 0, .copies = true, .broken = Broken::over_before_copy},
           Fault::copy_ignored);
  is_found("a job of a run with an exit entry is cancelled",
           {.candidates = 1, .faults = 0, .stops = 0, .copies = true, .broken = Broken::cancels_copying},
           Fault::copy_cut);
  is_found("a winner that was taken for lost cancels the next attempt",
           {.candidates = 2, .faults = 2, .stops = 0, .broken = Broken::siblings_of_all}, Fault::never_started);
}
