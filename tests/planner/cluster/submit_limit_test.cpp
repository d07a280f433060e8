#include "planner/cluster/submit_limit.h"

#include <doctest/doctest.h>

#include "planner/cluster/admission.h"
#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

/// Afton with so many own jobs in gpu-a40.
Cluster with_jobs(int count) {
  Cluster cluster = test::afton();
  for (int i = 0; i < count; ++i) {
    QueuedJob job;
    job.id = std::to_string(i + 1);
    job.user = cluster.user;
    job.account = "lab";
    job.qos = "normal";
    job.partitions = {"gpu-a40"};
    job.state = i == 0 ? "RUNNING" : "PENDING";
    cluster.jobs.push_back(job);
  }
  return cluster;
}

std::string refusal(const Cluster& cluster, const std::string& partition = "gpu-a40") {
  return admit(cluster, *cluster.find_partition(partition), {}).refusal;
}

}  // namespace

TEST_CASE("the account's MaxSubmit counts running jobs, waiting ones and array elements") {
  Cluster cluster = with_jobs(2);
  cluster.associations[0].max_submit = 3;
  CHECK(refusal(cluster).empty());
  cluster.jobs[1].array_tasks = 2;
  CHECK(refusal(cluster) ==
        "you may have 3 jobs in the queue at once (account lab MaxSubmit=3) and have 3: one more fits when 1 job has "
        "ended or been cancelled");
  cluster.jobs[1].array_tasks = 4;
  CHECK(refusal(cluster).ends_with("and have 5: one more fits when 3 jobs have ended or been cancelled"));
}

TEST_CASE("jobs of others and of other accounts do not count") {
  Cluster cluster = with_jobs(2);
  cluster.associations[0].max_submit = 2;
  CHECK_FALSE(refusal(cluster).empty());
  cluster.jobs[0].user = "somebody";
  CHECK(refusal(cluster).empty());
  cluster.jobs[0].user = cluster.user;
  cluster.jobs[0].account = "other";
  CHECK(refusal(cluster).empty());
}

TEST_CASE("an association for one partition counts only the jobs in it") {
  Cluster cluster = with_jobs(2);
  cluster.associations[0].max_submit = 2;
  cluster.associations[0].partition = "gpu-a40";
  CHECK_FALSE(refusal(cluster).empty());
  cluster.jobs[0].partitions = {"gpu-h200"};
  CHECK(refusal(cluster).empty());
}

TEST_CASE("a QOS's MaxSubmitPU, the partition's before the job's") {
  Cluster cluster = with_jobs(2);
  test::qos_of(cluster, "normal").max_submit_per_user = 2;
  CHECK(refusal(cluster).find("(QOS normal MaxSubmitPU=2)") != std::string::npos);
  CHECK_FALSE(refusal(cluster, "gpu-h200").empty());
  // Slurm takes the first that states one: nothing of QOS h200 is in the queue yet.
  test::qos_of(cluster, "h200").max_submit_per_user = 1;
  CHECK(refusal(cluster, "gpu-h200").empty());
  test::qos_of(cluster, "normal").flags = {"OverPartQOS"};
  CHECK_FALSE(refusal(cluster, "gpu-h200").empty());
  test::qos_of(cluster, "normal").flags = {};
  cluster.jobs[0].partitions = {"gpu-h200"};
  CHECK(refusal(cluster, "gpu-h200").find("(QOS h200 MaxSubmitPU=1)") != std::string::npos);
}

TEST_CASE("the one that leaves least is named; a QOS's limit per user or account replaces the association's") {
  Cluster cluster = with_jobs(2);
  const auto limit = [&] {
    return submit_limit(cluster, *cluster.find_partition("gpu-a40"), cluster.find_qos("normal"),
                        &cluster.associations[0]);
  };
  cluster.associations[0].max_submit = 4;
  cluster.associations[0].group_submit = 5;
  REQUIRE(limit());
  CHECK(limit()->left() == 2);
  CHECK(limit()->source == "account lab MaxSubmit");
  test::qos_of(cluster, "normal").max_submit_per_user = 9;
  CHECK(limit()->source == "account lab GrpSubmit");
  test::qos_of(cluster, "normal").group_submit = 8;
  CHECK(limit()->source == "QOS normal GrpSubmit");
  test::qos_of(cluster, "normal").max_submit_per_account = 7;
  CHECK(limit()->source == "QOS normal MaxSubmitPA");
}

TEST_CASE("limits on the jobs of a group count those of others") {
  Cluster cluster = with_jobs(2);
  cluster.jobs[0].user = "somebody";
  test::add_account(cluster, "dep").group_submit = 2;
  test::add_account(cluster, "lab", "dep");
  test::add_account(cluster, "next", "dep");
  CHECK(refusal(cluster) ==
        "account dep may have 2 jobs in the queue at once (account dep GrpSubmit=2) and has 2: one more fits when 1 "
        "job has ended or been cancelled");
  cluster.jobs[0].account = "next";
  CHECK_FALSE(refusal(cluster).empty());
  cluster.jobs[0].account = "far";
  CHECK(refusal(cluster).empty());
  cluster.accounts[0].used_submit = 2;  // as the controller counts
  CHECK_FALSE(refusal(cluster).empty());
  cluster.accounts.clear();
  test::qos_of(cluster, "normal").group_submit = 2;
  CHECK(refusal(cluster).starts_with("QOS normal may have 2 jobs in the queue at once (QOS normal GrpSubmit=2)"));
  test::qos_of(cluster, "normal").group_submit.reset();
  test::qos_of(cluster, "normal").max_submit_per_account = 1;
  CHECK(refusal(cluster).starts_with("account lab may have 1 job in the queue at once (QOS normal MaxSubmitPA=1)"));
}

TEST_CASE("an unknown or unenforced limit rejects no user; a limit of zero rejects all") {
  Cluster cluster = with_jobs(2);
  cluster.associations[0].max_submit = 1;
  cluster.controller.enforced = {"associations"};
  CHECK(refusal(cluster).empty());
  cluster.controller.enforced = {"safe"};
  CHECK_FALSE(refusal(cluster).empty());
  cluster.unanswered["jobs"] = "timed out";
  CHECK(refusal(cluster).empty());
  cluster = with_jobs(0);
  cluster.associations[0].max_submit = 0;
  CHECK(refusal(cluster) == "you may not submit jobs here (account lab MaxSubmit=0)");
}
