#include "monitor/diagnosis/asked_retry.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

Diagnosis diagnosis(Cause cause) {
  Diagnosis result;
  result.cause = cause;
  result.summary = text_of(cause).text;
  return result;
}

AskedHistory failed_with(int code) {
  return {.state = RunState::failed, .exit_code = code, .used = 0, .ran = 5s, .last_line = "", .line_before = ""};
}

bool retried(const std::vector<std::string>& on, Cause cause, const AskedHistory& history) {
  return asked_retry({.most = 3, .on = on}, diagnosis(cause), history).retry;
}

AskedHistory ended_as(RunState state, std::optional<int> code = std::nullopt) {
  auto history = failed_with(0);
  history.state = state;
  history.exit_code = code;
  return history;
}

}  // namespace

TEST_CASE("without --retry-on a command is retried after any exit code other than 0") {
  CHECK(retried({}, Cause::unknown, failed_with(1)));
  CHECK(retried({}, Cause::python_exception, failed_with(75)));
  CHECK(!retried({}, Cause::time_limit, ended_as(RunState::timeout)));
  CHECK(!retried({}, Cause::out_of_memory, ended_as(RunState::out_of_memory)));
}

TEST_CASE("a run that ended well, was stopped or left no record is never retried") {
  for (const auto state : {RunState::done, RunState::stopped, RunState::lost, RunState::node_failure,
                           RunState::preempted, RunState::refused}) {
    CHECK(!retried({}, Cause::unknown, ended_as(state, 1)));
    CHECK(!retried({"1", "timeout", "oom", "unknown"}, Cause::unknown, ended_as(state, 1)));
  }
}

TEST_CASE("--retry-on selects exit codes, time limits, memory and causes") {
  CHECK(retried({"75", "137"}, Cause::unknown, failed_with(75)));
  CHECK(!retried({"75", "137"}, Cause::unknown, failed_with(7)));
  CHECK(retried({"timeout"}, Cause::time_limit, ended_as(RunState::timeout)));
  CHECK(!retried({"timeout"}, Cause::unknown, failed_with(1)));
  CHECK(retried({"oom"}, Cause::out_of_memory, ended_as(RunState::out_of_memory)));
  CHECK(retried({"oom"}, Cause::killed, failed_with(137)));
  CHECK(!retried({"oom"}, Cause::cuda_out_of_memory, failed_with(1)));
  CHECK(retried({"cuda_out_of_memory", "nccl"}, Cause::nccl, failed_with(1)));
  const auto decision = asked_retry({.most = 3, .on = {"75"}}, diagnosis(Cause::unknown), failed_with(7));
  CHECK(decision.why == "not retried: --retry-on does not include it");
}

TEST_CASE("the pause doubles from 10 seconds to 10 minutes") {
  CHECK(pause_before_retry(1) == 10s);
  CHECK(pause_before_retry(2) == 20s);
  CHECK(pause_before_retry(6) == 320s);
  CHECK(pause_before_retry(7) == 600s);
  CHECK(pause_before_retry(100) == 600s);
  auto history = failed_with(1);
  history.used = 2;
  CHECK(asked_retry({.most = 3, .on = {}}, diagnosis(Cause::unknown), history).pause == 40s);
}

TEST_CASE("the last retry is the Nth") {
  auto history = failed_with(1);
  history.used = 3;
  const auto decision = asked_retry({.most = 3, .on = {}}, diagnosis(Cause::unknown), history);
  CHECK(!decision.retry);
  CHECK(decision.why == "after 3 retries");
}

TEST_CASE("the same last line twice within two minutes ends the retries") {
  auto history = failed_with(1);
  history.used = 1;
  history.last_line = history.line_before = "no such option";
  const auto repeated = asked_retry({.most = 3, .on = {}}, diagnosis(Cause::unknown), history);
  CHECK(!repeated.retry);
  CHECK(repeated.why ==
        "not retried again: it ran for less than 2m and ended with the same last line of output as the attempt before");
  history.ran = 2min;
  CHECK(retried({}, Cause::unknown, history));
  history.ran = 5s;
  history.last_line = "step 7";
  CHECK(retried({}, Cause::unknown, history));
  // Two attempts without output have no line in common.
  history.last_line = history.line_before = "";
  CHECK(retried({}, Cause::unknown, history));
}

TEST_CASE("the reason is the cause, or the exit code where the cause is not known") {
  CHECK(asked_retry({.most = 1, .on = {}}, diagnosis(Cause::unknown), failed_with(75)).why == "exit code 75");
  CHECK(asked_retry({.most = 1, .on = {}}, diagnosis(Cause::no_space), failed_with(1)).why ==
        "a disk or a quota is full");
}
