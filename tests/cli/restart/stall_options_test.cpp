#include "cli/restart/stall_options.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"

using namespace rv;
using namespace rv::cli;
using std::chrono::minutes;

namespace {

std::string refusal_of(templates::JobSpec job, const StallOptions& options) {
  try {
    put_stall(job, options, {});
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("--stall alone warns, and --on-stall stop ends the command") {
  templates::JobSpec job;
  put_stall(job, {.after = minutes(20), .action = {}}, {});
  REQUIRE(job.stall);
  CHECK(job.stall->after == minutes(20));
  CHECK_FALSE(job.stall->ends);
  put_stall(job, {.after = minutes(20), .action = OnStall::stop}, {});
  CHECK(job.stall->ends);
  CHECK_FALSE(job.retries);
}

TEST_CASE("a restart adds the cause to the retries, and two retries if there are none") {
  templates::JobSpec job;
  put_stall(job, {.after = minutes(20), .action = OnStall::restart}, {});
  REQUIRE(job.retries);
  CHECK(job.retries->most == 2);
  CHECK(job.retries->on == std::vector<std::string>{"stalled"});
  job.retries = templates::Retries{.most = 5, .on = {"75"}};
  put_stall(job, {.after = minutes(20), .action = OnStall::restart}, {});
  CHECK(job.retries->most == 5);
  CHECK(job.retries->on == std::vector<std::string>{"75", "stalled"});
  job.retries = templates::Retries{.most = 5, .on = {}};
  put_stall(job, {.after = minutes(20), .action = OnStall::restart}, {});
  CHECK(job.retries->on.empty());  // any exit code
}

TEST_CASE("a chain restarts by its own rules") {
  templates::JobSpec job;
  job.chain = templates::Chain{};
  put_stall(job, {.after = minutes(20), .action = OnStall::restart}, {});
  CHECK(job.stall->ends);
  CHECK_FALSE(job.retries);
  CHECK(
      refusal_of(job, {.after = minutes(20), .action = OnStall::stop}).starts_with("--on-stall stop and --checkpoint"));
}

TEST_CASE("what can't be watched or restarted is refused") {
  CHECK(refusal_of({}, {.after = {}, .action = OnStall::stop}) == "--on-stall needs --stall");
  templates::JobSpec hold;
  hold.hold = true;
  CHECK(refusal_of(hold, {.after = minutes(20), .action = {}}) == "--stall needs a command");
  templates::JobSpec array;
  array.array = templates::JobArray{.elements = {0, 1}, .at_once = 0, .text = "0-1"};
  CHECK(refusal_of(array, {.after = minutes(20), .action = OnStall::restart}) ==
        "--on-stall restart and --array can't be combined");
  CHECK(refusal_of(array, {.after = minutes(20), .action = OnStall::stop}) == "taken");
}

TEST_CASE("the setting is for commands without --stall") {
  templates::JobSpec job;
  put_stall(job, {.after = {}, .action = {}}, minutes(30));
  REQUIRE(job.stall);
  CHECK(job.stall->after == minutes(30));
  CHECK(!job.stall->ends);
  job = {};
  put_stall(job, {.after = {}, .action = OnStall::stop}, minutes(30));
  CHECK(job.stall->ends);
  job = {};
  put_stall(job, {.after = minutes(20), .action = {}}, minutes(30));
  CHECK(job.stall->after == minutes(20));
  job = {};
  put_stall(job, {.after = minutes(0), .action = {}}, minutes(30));
  CHECK(!job.stall);
  CHECK_THROWS_AS(put_stall(job, {.after = minutes(0), .action = OnStall::stop}, minutes(30)), Error);
  job.hold = true;
  put_stall(job, {.after = {}, .action = {}}, minutes(30));  // no command that could hang
  CHECK(!job.stall);
}
