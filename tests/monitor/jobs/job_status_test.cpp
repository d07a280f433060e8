#include "monitor/jobs/job_status.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

JobStatus in_queue(const char* state, const char* reason = "None") {
  rv::slurm::QueueRow row;
  row.state = state;
  row.reason = reason;
  return status_of(row);
}

}  // namespace

TEST_CASE("every base state and flag has Slurm's meaning") {
  const std::pair<const char*, Phase> words[] = {
      {"PENDING", Phase::pending},       {"RUNNING", Phase::running},         {"SUSPENDED", Phase::suspended},
      {"COMPLETED", Phase::ended},       {"CANCELLED", Phase::ended},         {"FAILED", Phase::ended},
      {"TIMEOUT", Phase::ended},         {"NODE_FAIL", Phase::ended},         {"PREEMPTED", Phase::ended},
      {"BOOT_FAIL", Phase::ended},       {"DEADLINE", Phase::ended},          {"OUT_OF_MEMORY", Phase::ended},
      {"COMPLETING", Phase::completing}, {"CONFIGURING", Phase::configuring}, {"REQUEUED", Phase::pending},
      {"REQUEUE_HOLD", Phase::held},     {"REQUEUE_FED", Phase::pending},     {"SPECIAL_EXIT", Phase::held},
      {"RESV_DEL_HOLD", Phase::held},    {"REVOKED", Phase::ended},           {"STAGE_OUT", Phase::completing},
      {"SIGNALING", Phase::running},     {"STOPPED", Phase::suspended},       {"EXPEDITING", Phase::pending},
  };
  for (const auto& [state, phase] : words) {
    const char* const word = state;
    CAPTURE(word);
    CHECK(in_queue(word).phase == phase);
  }
}

TEST_CASE("an unknown state is neither alive nor dead") {
  CHECK(in_queue("WARPED").phase == Phase::unknown);
  CHECK(in_queue("").phase == Phase::unknown);
  CHECK(!in_queue("WARPED").ending);
}

TEST_CASE("configuring is not running") {
  CHECK(in_queue("CONFIGURING").phase != Phase::running);
}

TEST_CASE("accounting's long and cut forms are understood") {
  rv::slurm::AccountingRow row;
  row.state = "CANCELLED by 1001";
  CHECK(status_of(row).ending == Ending::cancelled);
  row.state = "CANCELLED+";
  CHECK(status_of(row).ending == Ending::cancelled);
  row.state = "COMPLETED";
  row.exit_status = 0;
  CHECK(status_of(row).exit_status == 0);
}

TEST_CASE("a pending job that needs a person is held") {
  CHECK(in_queue("PENDING", "Priority").phase == Phase::pending);
  CHECK(in_queue("PENDING", "JobHeldUser").phase == Phase::held);
  CHECK(in_queue("PENDING", "DependencyNeverSatisfied").phase == Phase::held);
  CHECK(in_queue("PENDING", "job requeued in held state").phase == Phase::held);
  CHECK(in_queue("PENDING", "launch failed requeued held").phase == Phase::held);
}

TEST_CASE("squeue's end is the end of an ended job, and the latest end of a running one") {
  const slurm::TimePoint then(std::chrono::seconds(1'900'000'000));
  rv::slurm::QueueRow row;
  row.end = then;
  row.state = "NODE_FAIL";
  CHECK(status_of(row).end == then);
  CHECK(!status_of(row).ends_by);
  row.state = "RUNNING";
  CHECK(!status_of(row).end);
  CHECK(status_of(row).ends_by == then);
}
