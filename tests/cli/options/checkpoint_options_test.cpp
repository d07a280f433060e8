#include "cli/options/checkpoint_options.h"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"

namespace rv::cli {

namespace {

using Words = std::vector<std::string>;
using std::chrono::hours;
using std::chrono::minutes;

std::shared_ptr<CheckpointOptions> read(Words words) {
  CLI::App app;
  auto options = add_checkpoint_options(app);
  std::reverse(words.begin(), words.end());
  app.parse(std::move(words));
  return options;
}

std::string fault(const Words& words) {
  try {
    planner::Request request;
    ask_for_segments(request, *read(words), {});
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK_FALSE(error.advice().empty());
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("the options of segments are values once they are read") {
  const auto unset = read({});
  CHECK_FALSE(unset->wanted);
  CHECK_FALSE(unset->segment.has_value());
  CHECK(unset->chain.signal == "USR1");
  const auto all = read({"--checkpoint", "--segment-time", "2h", "--time-min", "30m", "--warn", "5m", "--signal",
                         "sigusr2", "--max-crashes", "7"});
  CHECK(all->segment == hours(2));
  CHECK(all->chain.shortest == minutes(30));
  CHECK(all->chain.warning == minutes(5));
  CHECK(all->chain.signal == "USR2");
  CHECK(all->chain.max_crashes == 7);
  CHECK_FALSE(read({"--segment-time", "auto"})->segment.has_value());
}

TEST_CASE("a bad value is named with its option when it is read") {
  CHECK(fault({"--segment-time", "soon"}) == "--segment-time \"soon\": expected a length of time above 0, or auto");
  CHECK(fault({"--time-min", "soon"}) == "--time-min \"soon\": expected a length of time above 0");
  CHECK(fault({"--warn", "0"}) == "--warn \"0\": expected a length of time above 0");
  CHECK(fault({"--signal", "KILL"}) == "--signal \"KILL\": expected USR1, USR2, INT, HUP, TERM, ALRM, URG or CONT");
  CHECK(fault({"--max-crashes", "0"}) == "--max-crashes \"0\": expected a whole number from 1 to 1000");
}

TEST_CASE("contradicting options are rejected") {
  CHECK(fault({"--warn", "5m"}) == "--warn needs --checkpoint");
  CHECK(fault({"--segment-time", "2h"}) == "--segment-time needs --checkpoint");
  CHECK(fault({"--signal", "USR1"}) == "--signal needs --checkpoint");
  CHECK(fault({"--checkpoint-from", "train"}) == "--checkpoint-from needs --checkpoint");
  CHECK(fault({"--checkpoint", "--segment-time", "90m", "--time-min", "2h"}) ==
        "--time-min 2h must be less than --segment-time 1h 30m");
  CHECK(fault({"--checkpoint", "--segment-time", "2h", "--time-min", "90m"}) == "no error");
}

TEST_CASE("a segment that leaves no time to work is refused") {
  planner::Strategy strategy;
  strategy.kind = planner::Kind::checkpoint;
  strategy.time_limit = hours(2);
  CHECK_NOTHROW(check_segments(read({"--checkpoint", "--time-min", "30m"})->chain, strategy));
  CHECK_NOTHROW(check_segments(read({"--checkpoint", "--warn", "59m"})->chain, strategy));
  CHECK_THROWS_AS(check_segments(read({"--checkpoint", "--warn", "60m"})->chain, strategy), Error);
  CHECK_THROWS_AS(check_segments(read({"--checkpoint", "--warn", "59m", "--time-min", "30m"})->chain, strategy), Error);
  strategy.time_limit = minutes(2);
  CHECK_THROWS_AS(check_segments(read({"--checkpoint"})->chain, strategy), Error);
}

TEST_CASE("the hint for a short segment can be copied") {
  planner::Strategy strategy;
  strategy.kind = planner::Kind::checkpoint;
  strategy.time_limit = hours(4);
  strategy.work_time = hours(12);
  try {
    check_segments(read({"--checkpoint", "--warn", "5h"})->chain, strategy);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "a segment of 4h is too short: it needs 5h for saving, 1m for ending, and at least as long for work");
    CHECK(error.advice() == "use --segment-time 10h2m or more, or a shorter warning (--warn)");
  }
}

}  // namespace rv::cli
