#include "planner/cluster/budget.h"

#include <doctest/doctest.h>

#include "planner/make_plan.h"
#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

/// Two GPUs for two hours: 240 GPU minutes.
Strategy two_hours() {
  Strategy strategy;
  strategy.partitions = {"gpu"};
  strategy.gres_type = "a100";
  strategy.gpus_per_node = 2;
  strategy.cpus_per_node = 8;
  strategy.memory_per_node = Mebibytes{1024};
  strategy.time_limit = strategy.work_time = 2h;
  return strategy;
}

Budget budget(const char* limit, BudgetKind kind, const char* tres, std::int64_t most, std::int64_t used) {
  Budget one;
  one.limit = limit;
  one.kind = kind;
  one.tres = tres;
  one.most = most;
  one.used = used;
  one.account = one.owner = "lab";
  return one;
}

Cluster cluster_with(std::vector<Budget> budgets, std::vector<std::string> enforced = {"associations", "limits"}) {
  Cluster cluster;
  cluster.user = "ann";
  cluster.controller.accounting = true;
  cluster.controller.enforced = std::move(enforced);
  Partition partition;
  partition.name = "gpu";
  partition.up = true;
  cluster.partitions.push_back(partition);
  Qos qos;
  qos.name = "normal";
  cluster.qos.push_back(qos);
  Association association;
  association.account = "lab";
  association.is_default_account = true;
  association.default_qos = "normal";
  cluster.associations.push_back(association);
  cluster.budgets = std::move(budgets);
  return cluster;
}

std::string refusal(const Cluster& cluster) {
  return budget_refusal(cluster, cluster.partitions[0], two_hours());
}

}  // namespace

TEST_CASE("no job starts on a used-up budget; before, a job starts unless the budget surely ends before it does") {
  const auto used = [](std::int64_t minutes, std::vector<std::string> enforced) {
    return refusal(cluster_with({budget("GrpTRESMins", BudgetKind::used, "gres/gpu", 600, minutes)}, enforced));
  };
  CHECK(used(600, {"limits"}) == "the budget of account lab is used up: 10 of 10 GPU hours (GrpTRESMins gres/gpu=600)");
  CHECK(used(599, {"limits"}).empty());
  CHECK(used(300, {"safe"}).empty());
  CHECK(used(480, {"safe"}) ==
        "account lab has 2 GPU hours left of 10 (GrpTRESMins gres/gpu=600): 1h of this request; this request needs 4");
  // Limits that Slurm does not enforce are none.
  CHECK(used(600, {"associations"}).empty());
}

TEST_CASE("every resource is counted in its own minutes") {
  struct Row {
    const char* tres;
    std::int64_t asked;
  };
  for (const Row& row : {Row{"gres/gpu", 240}, Row{"GRES/gpu:A100", 240}, Row{"cpu", 960}, Row{"mem", 122880},
                         Row{"node", 120}, Row{"billing", 960}, Row{"", 120}}) {
    CAPTURE(row.tres);
    const Cluster cluster = cluster_with({budget("GrpTRESMins", BudgetKind::used, row.tres, 1 << 20, 0)});
    const auto left = budgets_of(cluster, cluster.partitions[0], two_hours());
    REQUIRE(left.size() == 1);
    CHECK(left[0].asked == row.asked);
  }
  CHECK(budgets_of(cluster_with({budget("GrpTRESMins", BudgetKind::used, "license/x", 1, 1)}),
                   cluster_with({}).partitions[0], two_hours())
            .empty());
}

TEST_CASE("billing minutes follow the partition's weights, and are SU") {
  Cluster cluster = cluster_with({budget("GrpTRESMins", BudgetKind::used, "billing", 6000, 1200)});
  cluster.partitions[0].billing_weights = {{"gres/gpu", 10}};
  const auto left = budgets_of(cluster, cluster.partitions[0], two_hours());
  REQUIRE(left.size() == 1);
  CHECK(left[0].asked == 2400);
  CHECK(in_words(left[0]) == "account lab has 80 SU left of 100 (GrpTRESMins billing=6000): 4h of this request");
}

TEST_CASE("a job above the limit of a job is rejected; one that must wait for others is only delayed") {
  CHECK(!refusal(cluster_with({budget("MaxTRESMinsPerJob", BudgetKind::per_job, "gres/gpu", 239, 0)})).empty());
  CHECK(refusal(cluster_with({budget("MaxTRESMinsPerJob", BudgetKind::per_job, "gres/gpu", 240, 0)})).empty());
  CHECK(!refusal(cluster_with({budget("GrpTRESRunMins", BudgetKind::running, "gres/gpu", 239, 0)})).empty());
  const Cluster cluster = cluster_with({budget("GrpTRESRunMins", BudgetKind::running, "gres/gpu", 300, 100)});
  CHECK(refusal(cluster).empty());
  CHECK(waits_for_run_minutes(cluster, cluster.partitions[0], two_hours()) ==
        "account lab has 1.7 of 5 GPU hours reserved for running jobs (GrpTRESRunMins gres/gpu=300)");
}

TEST_CASE("a QOS's budget replaces the account's, and another account's does not count") {
  Budget of_qos = budget("GrpTRESMins", BudgetKind::used, "gres/gpu", 6000, 0);
  of_qos.qos = "NORMAL";
  of_qos.account = of_qos.owner = "";
  Budget of_account = budget("GrpTRESMins", BudgetKind::used, "gres/gpu", 600, 600);
  CHECK(refusal(cluster_with({of_account, of_qos})).empty());
  of_qos.qos = "other";
  CHECK(!refusal(cluster_with({of_account, of_qos})).empty());
  of_account.account = "physics";
  CHECK(refusal(cluster_with({of_account, of_qos})).empty());
}

TEST_CASE("the remaining usage of running jobs is computed if Slurm does not show it") {
  Budget per_user = budget("MaxTRESRunMinsPerUser", BudgetKind::running, "gres/gpu", 300, 0);
  per_user.qos = "normal";
  per_user.account = per_user.owner = "";
  per_user.per_user = true;
  Cluster cluster = cluster_with({per_user});
  cluster.taken_at = test::noon;
  QueuedJob job;
  job.user = "Ann";
  job.qos = "Normal";
  job.state = "RUNNING";
  job.requested = {{"gres/gpu", 2}};
  job.start = test::noon - 30min;
  job.time_limit = 90min;
  cluster.jobs.push_back(job);
  measure_run_minutes(cluster);
  CHECK(cluster.budgets[0].used == 120);
  CHECK(waits_for_run_minutes(cluster, cluster.partitions[0], two_hours()) ==
        "you in QOS normal have 2 of 5 GPU hours reserved for running jobs (MaxTRESRunMinsPerUser gres/gpu=300)");
}

TEST_CASE("with DenyOnLimit a job is compared with the whole of a budget") {
  Cluster cluster = cluster_with({budget("GrpTRESMins", BudgetKind::used, "gres/gpu", 200, 0)});
  CHECK(refusal(cluster).empty());
  cluster.qos[0].flags = {"DenyOnLimit"};
  CHECK(refusal(cluster) ==
        "account lab has 3.3 GPU hours in total (GrpTRESMins gres/gpu=200), and the QOS has DenyOnLimit; this request "
        "needs 4");
  cluster.budgets[0].most = 240;
  cluster.budgets[0].used = 239;
  CHECK(refusal(cluster).empty());
}

TEST_CASE("with \"safe\" GrpWall must last for the time limit") {
  Cluster cluster = cluster_with({budget("GrpWall", BudgetKind::used, "", 200, 81)});
  CHECK(refusal(cluster).empty());
  cluster.controller.enforced = {"safe"};
  CHECK_FALSE(refusal(cluster).empty());
  cluster.budgets[0].used = 80;
  CHECK(refusal(cluster).empty());
}
