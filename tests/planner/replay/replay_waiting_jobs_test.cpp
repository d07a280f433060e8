#include <doctest/doctest.h>

#include "planner/replay/queue_replay.h"
#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::a_strategy;
using test::median;
using test::pending;
using test::queue_cluster;
using test::running;
using test::starts_at;

TEST_CASE("held, dependent and later jobs") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 1h);
  QueuedJob& ahead = pending(cluster, "2", 1, 1, 2h);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
  for (const char* reason : {"JobHeldUser", "JobHeldAdmin", "DependencyNeverSatisfied", "BadConstraints",
                             "AssocGrpGRESMinutes", "QOSGrpBillingMinutes", "MaxMemPerLimit", "ReservationDeleted",
                             "Job's QOS not permitted to use this partition (gpu allows long not normal)"}) {
    ahead.reason = reason;
    CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  }
  // The rule of one of several partitions does not keep it out of the other.
  ahead.reason = "PartitionTimeLimit";
  ahead.partitions.emplace_back("elsewhere");
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
  ahead.partitions.pop_back();
  ahead.reason = "Dependency";
  ahead.dependency = "afterany:1(unfulfilled)";
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
  ahead.dependency = "afterany:77(unfulfilled)";
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  CHECK(test::wait_of(cluster, a_strategy(1, 1, 1h))
            .basis.ends_with("; not modelled: 1 job waiting for others that the queue does not show"));
  ahead.reason = "AssocGrpGRESRunMinutes";
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  ahead.reason = "Dependency";
  ahead.dependency = "";
  ahead.reason = "BeginTime";
  ahead.eligible = test::noon + 90min;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  ahead.eligible = test::noon + 30min;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
}

TEST_CASE("a job that depends on a held job never starts, nor does one that depends on it") {
  Cluster cluster = queue_cluster(1, 1);
  QueuedJob& first = pending(cluster, "2", 1, 1, 2h);
  first.reason = "JobHeldUser";
  pending(cluster, "3", 1, 1, 2h).dependency = "afterok:2(unfulfilled)";
  pending(cluster, "4", 1, 1, 2h).dependency = "afterany:3(unfulfilled)";
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  cluster.jobs[0].reason = "Resources";
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 6h));
  // Down partitions start nothing either.
  cluster.jobs[0].partitions = {"elsewhere"};
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
}

TEST_CASE("jobs that can't be modelled are counted") {
  Cluster cluster = queue_cluster(1, 1);
  for (int i = 0; i < 3; ++i) pending(cluster, std::to_string(10 + i), 1, 1, 2h).part_of_het_job = true;
  pending(cluster, "20", 1, 1, 2h).reason = "Licenses";
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  CHECK(test::wait_of(cluster, a_strategy(1, 1, 1h))
            .basis.ends_with("; not modelled: 3 heterogeneous jobs, 1 job waiting for licenses"));
}

TEST_CASE("array elements one by one, and no more at once than the throttle") {
  Cluster cluster = queue_cluster(2, 1);
  QueuedJob& array = pending(cluster, "5_[1-4]", 1, 1, 1h);
  array.array_tasks = 4;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 2h));
  array.id = "5_[1-4%1]";
  CHECK(median(cluster, a_strategy(1, 1, 1h)) <= 30);
}

TEST_CASE("the last element of an array waits for its throttle, which its ID does not show") {
  Cluster cluster = queue_cluster(2, 1);
  running(cluster, "5_1", {"n0"}, 1, 1h);
  pending(cluster, "5_2", 1, 1, 1h).reason = "JobArrayTaskLimit";
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  cluster.jobs[1].reason = "Resources";
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
}

TEST_CASE("a limit that the user's own jobs use up") {
  Cluster cluster = queue_cluster(2, 1);
  running(cluster, "1", {"n0"}, 1, 1h).user = "me";
  cluster.jobs[0].qos = "normal";
  test::add_qos(cluster, "normal");
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 1}};
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 2}};
  test::qos_of(cluster, "normal").max_jobs_per_user = 1;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
}

TEST_CASE("a job at a limit that only accounting has does not block others") {
  Cluster cluster = queue_cluster(2, 1);
  running(cluster, "1", {"n0"}, 1, 1h);
  pending(cluster, "2", 1, 1, 2h).reason = "AssocGrpGRES";
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  cluster.jobs[1].reason = "Resources";
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
}

TEST_CASE("a job that waits for its account's limit leaves the rest to smaller jobs of the account") {
  Cluster cluster = queue_cluster(2, 4);
  test::add_account(cluster, "lab").group_tres = {{"gres/gpu", 4}};
  Association mine;
  mine.account = "lab";
  mine.is_default_account = true;
  cluster.associations = {mine};
  running(cluster, "1", {"n0"}, 2, 1h);
  pending(cluster, "2", 1, 4, 2h).reason = "AssocGrpGRES";
  CHECK(median(cluster, a_strategy(1, 2, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(1, 3, 1h)), 3h));  // job 2 goes first
  // Where the limits are unknown: less than what was too much.
  cluster.accounts.clear();
  CHECK(median(cluster, a_strategy(1, 3, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 3h));
}

TEST_CASE("a limit on nodes lets a job start beside those that it counts") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 2, 1h).qos = "normal";
  test::add_qos(cluster, "normal");
  test::qos_of(cluster, "normal").group_tres = {{"node", 1}};
  CHECK(median(cluster, a_strategy(1, 2, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(1, 3, 1h)), 1h));
}
