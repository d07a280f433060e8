#include "monitor/jobs/job_status.h"

#include <doctest/doctest.h>

#include "monitor/jobs/pending_reason.h"

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

TEST_CASE("every base state and flag means what Slurm means by it") {
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

TEST_CASE("a word nobody knows is neither alive nor dead") {
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

TEST_CASE("pending reasons come in words, with advice where somebody must act") {
  CHECK(explain_pending("Priority").words == "other jobs are ahead in the queue");
  CHECK(!explain_pending("Priority").blocked);
  const auto cpus = explain_pending("QOSMaxCpuPerJobLimit");
  CHECK(cpus.blocked);
  CHECK(cpus.words.find("CPUs") != std::string::npos);
  CHECK(!cpus.advice.empty());
  CHECK(explain_pending("AssocGrpGRES").blocked == false);
  // Said behind a job of a higher tier, too, which ends by itself.
  for (const std::string_view form :
       {"ReqNodeNotAvail", "ReqNodeNotAvail,_UnavailableNodes:n1", "ReqNodeNotAvail, May be reserved for other job",
        "ReqNodeNotAvail, Reserved for maintenance"}) {
    CHECK(!explain_pending(form).blocked);
    CHECK(!explain_pending(form).advice.empty());
  }
  CHECK(explain_pending("ReqNodeNotAvail, Reserved for maintenance").words ==
        "nodes it needs are reserved for maintenance");
  CHECK(explain_pending("SomethingNew").words == "SomethingNew");
  CHECK(explain_pending("Something_New").words == "Something_New");
}

TEST_CASE("a reason means the same with blanks and with underscores") {
  for (const std::string_view reason :
       {"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
        "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions"}) {
    CHECK(explain_pending(reason).words == "nodes it needs are down, drained or kept for others");
  }
  for (const std::string_view reason : {"job requeued in held state", "job_requeued_in_held_state"}) {
    CHECK(explain_pending(reason).blocked);
    slurm::QueueRow row;
    row.state = "PENDING";
    row.reason = reason;
    CHECK(status_of(row).phase == Phase::held);
  }
}
