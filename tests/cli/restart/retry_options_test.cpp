#include "cli/restart/retry_options.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/failures/cause.h"

using namespace rv;
using namespace rv::cli;
using Words = std::vector<std::string>;

namespace {

std::string refusal(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return std::string(error.what()) + " | " + error.advice();
  }
  return "taken";
}

std::string refusal_of(const std::string& text) {
  return refusal([&] { parse_retry_on(text); });
}

}  // namespace

TEST_CASE("--retry-on takes exit codes, timeout, oom and causes") {
  CHECK(parse_retry_on("75,137, timeout,oom,nccl") == Words{"75", "137", "timeout", "oom", "nccl"});
  CHECK(parse_retry_on("unknown") == Words{"unknown"});
}

TEST_CASE("another word is refused, with the nearest one and the causes") {
  std::string causes = "the causes are ";
  int count = 0;
  for (const auto& name : failures::cause_names()) {
    try {
      parse_retry_on(name);
    } catch (const Error&) {
      continue;
    }
    causes += (count++ == 0 ? "" : ", ") + name;
  }
  CHECK(count > 10);
  CHECK(refusal_of("pyton_exception") ==
        "--retry-on \"pyton_exception\": expected exit codes from 1 to 255, timeout, oom or the name of a cause; did "
        "you mean \"python_exception\"? | " +
            causes);
  CHECK(refusal_of("75,nosuch").find("oom or the name of a cause, not \"nosuch\" | the causes are ") !=
        std::string::npos);
  for (const auto* text : {"0", "256", "-1", "075", "nosuch", "", "75,"}) {
    CAPTURE(text);
    CHECK(refusal_of(text).starts_with(std::string("--retry-on \"") + text));
  }
}

TEST_CASE("broken hardware has retries of its own, and an end that is not a failure has none") {
  CHECK(refusal_of("75,node_failure") ==
        "--retry-on \"75,node_failure\": rv starts the run again after node_failure by itself, without --retries | "
        "remove node_failure; add --requeue if the command may be started again after it had begun");
  CHECK(refusal_of("cancelled") ==
        "--retry-on \"cancelled\": cancelled is not a failure of the command | remove cancelled");
}

TEST_CASE("retries need a command that is neither an array nor checkpointed") {
  templates::JobSpec job;
  CHECK(retries_of({.most = 3, .on = {"75"}}, job)->most == 3);
  CHECK(!retries_of({}, job));
  CHECK(!retries_of({.most = 0, .on = {}}, job));
  CHECK(refusal([&] { retries_of({.most = {}, .on = {"75"}}, job); }) ==
        "--retry-on needs --retries | add --retries N, or remove --retry-on");
  auto hold = job;
  hold.hold = true;
  CHECK(refusal([&] { retries_of({.most = 1, .on = {}}, hold); }).starts_with("--retries needs a command | "));
  auto array = job;
  array.array.emplace();
  CHECK(refusal([&] {
          retries_of({.most = 1, .on = {}}, array);
        }).starts_with("--retries and --array can't be combined | "));
  auto chain = job;
  chain.chain.emplace();
  CHECK(refusal([&] {
          retries_of({.most = 1, .on = {}}, chain);
        }).starts_with("--retries and --checkpoint can't be combined | "));
}
