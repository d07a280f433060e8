#include "monitor/diagnosis/retry_decision.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

using Nodes = std::vector<std::string>;

Diagnosis diagnosis(Cause cause, Nodes bad) {
  Diagnosis result;
  result.cause = cause;
  result.summary = text_of(cause).text;
  result.bad_nodes = std::move(bad);
  return result;
}

RetryHistory early() {
  return {.retries = 0, .ran = 90s, .may_run_again = true, .excluded = {"n9"}};
}

}  // namespace

TEST_CASE("broken hardware early in a run: again, without the bad node and those left out before") {
  const auto decision = retry_decision(diagnosis(Cause::gpu_hardware, {"n2", "n9"}), early());
  CHECK(decision.retry);
  CHECK(decision.exclude == Nodes{"n9", "n2"});
  CHECK(decision.why == "a GPU or its link is broken (n2, n9)");
  for (const auto cause : {Cause::gpu_driver, Cause::gpu_missing, Cause::network_hardware, Cause::node_failure,
                           Cause::launch_failure, Cause::gate}) {
    CHECK(retry_decision(diagnosis(cause, {"n2"}), early()).retry);
  }
}

TEST_CASE("a failure that is not the hardware's is not retried") {
  for (const auto cause : {Cause::unknown, Cause::cuda_out_of_memory, Cause::out_of_memory, Cause::time_limit,
                           Cause::cancelled, Cause::preempted, Cause::nccl, Cause::cuda_error, Cause::killed}) {
    CHECK(!retry_decision(diagnosis(cause, {"n2"}), early()).retry);
  }
}

TEST_CASE("twice at most") {
  auto history = early();
  history.retries = 1;
  CHECK(retry_decision(diagnosis(Cause::gpu_hardware, {"n2"}), history).retry);
  history.retries = 2;
  const auto decision = retry_decision(diagnosis(Cause::gpu_hardware, {"n2"}), history);
  CHECK(!decision.retry);
  CHECK(decision.exclude == Nodes{"n9"});
}

TEST_CASE("late failures are left to checkpoints") {
  auto history = early();
  history.ran = 10min;
  CHECK(retry_decision(diagnosis(Cause::gpu_hardware, {"n2"}), history).retry);
  history.ran = 10min + 1s;
  CHECK(!retry_decision(diagnosis(Cause::gpu_hardware, {"n2"}), history).retry);
}

TEST_CASE("a command that may run once is not run twice, but one that had not begun may start elsewhere") {
  auto history = early();
  history.may_run_again = false;
  CHECK(!retry_decision(diagnosis(Cause::gpu_hardware, {"n2"}), history).retry);
  history.ran = std::nullopt;
  CHECK(retry_decision(diagnosis(Cause::launch_failure, {"n2"}), history).retry);
}

TEST_CASE("preempted before the command had begun: again, without the nodes left out before, twice at most") {
  RetryHistory history{.retries = 0, .ran = std::nullopt, .may_run_again = false, .excluded = {"n9"}};
  const auto decision = retry_decision(diagnosis(Cause::preempted, {}), history);
  CHECK(decision.retry);
  CHECK(decision.exclude == Nodes{"n9"});
  CHECK(decision.why == "its job was preempted before the command started");
  history.ran = 0s;
  CHECK(!retry_decision(diagnosis(Cause::preempted, {}), history).retry);
  history.ran = std::nullopt;
  history.retries = 2;
  CHECK(!retry_decision(diagnosis(Cause::preempted, {}), history).retry);
}

TEST_CASE("without a node to exclude there is no retry, unless Slurm has drained the node") {
  CHECK(!retry_decision(diagnosis(Cause::network_hardware, {}), early()).retry);
  CHECK(retry_decision(diagnosis(Cause::node_failure, {}), early()).retry);
}
