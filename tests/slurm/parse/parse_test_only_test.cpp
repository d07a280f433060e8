#include "slurm/parse/parse_test_only.h"

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;
using Outcome = rv::planner::TestOnlyResult::Outcome;

namespace {

constexpr rv::planner::TimePoint asked{std::chrono::seconds(1'795'230'000)};

rv::planner::TestOnlyResult said(int exit_code, const std::string& err, bool timed_out = false,
                                 rv::planner::TimePoint when = asked) {
  return parse_test_only(
      {.exit_code = exit_code, .timed_out = timed_out, .out = "", .err = err, .wall = std::chrono::milliseconds(1)},
      when);
}

}  // namespace

TEST_CASE("a start on every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto later = said(0, recording(release + "/test.later.epochenv.err"), false, recorded_at(release));
    CHECK(later.outcome == Outcome::starts);
    CHECK(later.wait > std::chrono::hours(5));
    CHECK(later.wait < std::chrono::hours(24));
    CHECK(later.nodes == "udc-an28-1");
    CHECK(said(0, recording(release + "/test.later.err")).nodes == "udc-an28-[1-2]");
    CHECK(said(0, recording(release + "/test.now.twonode.err")).outcome == Outcome::starts);
    CHECK(said(0, recording(release + "/test.het.err")).nodes.ends_with(",udc-cpu-1"));
    CHECK(said(0, recording(release + "/test.multi.err")).outcome == Outcome::starts);
    // A partition that is down: a promise for the year 2253.
    CHECK(said(0, recording(release + "/test.bad.downpart.err")).wait > std::chrono::hours(24 * 365));
  }
}

TEST_CASE("a start that is past by the clocks is now") {
  const auto word = said(0, "sbatch: Job 88 to start at 1795229990 using 1 processors on nodes n1 in partition gpu\n");
  CHECK(word.outcome == Outcome::starts);
  CHECK(word.wait == std::chrono::seconds(0));
}

TEST_CASE("rejections have the controller's message") {
  for (const std::string release : releases) {
    CAPTURE(release);
    auto word = said(1, recording(release + "/test.bad.acct.err"));
    CHECK(word.outcome == Outcome::refused);
    CHECK(word.message == "Invalid account or account/partition combination specified");
    word = said(1, recording(release + "/test.bad.part.err"));
    CHECK(word.outcome == Outcome::refused);
    CHECK(word.message == "invalid partition specified: nosuch");
    CHECK(!word.wait);
  }
}

TEST_CASE("nodes that are not available may be drained: nothing is known") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto word = said(1, recording(release + "/test.inf.gpus.err"));
    CHECK(word.outcome == Outcome::unknown);
    CHECK(word.message == "Requested node configuration is not available");
  }
}

TEST_CASE("no answer is neither a start nor a refusal") {
  for (const std::string release : releases) {
    CAPTURE(release);
    auto word = said(1, recording(release + "/ctldown.testonly.err"));
    CHECK(word.outcome == Outcome::unknown);
    CHECK(word.message == "Unable to contact slurm controller (connect failure)");
    CHECK(said(1, recording(release + "/hung.testonly.err")).outcome == Outcome::unknown);
  }
  CHECK(said(137, "", true).outcome == Outcome::unknown);
  CHECK(said(137, "").outcome == Outcome::unknown);
  CHECK(said(127, "sbatch: not found").outcome == Outcome::unknown);
  CHECK(said(1, "").outcome == Outcome::unknown);
  CHECK(said(0, "").outcome == Outcome::unknown);
  CHECK(said(0, "sbatch: welcome\n").message == "welcome");
  CHECK(said(0, "sbatch: Job 9 to start at some day\n").outcome == Outcome::unknown);
}
