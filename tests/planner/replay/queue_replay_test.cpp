#include "planner/replay/queue_replay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

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

TEST_CASE("an idle node takes the job as it is submitted") {
  CHECK(median(queue_cluster(1, 4), a_strategy(1, 4, 1h)) == 0);
}

TEST_CASE("one GPU, one job with a limit: the wait is the rest of it") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 2h, 30min);
  const Wait wait = test::wait_of(cluster, a_strategy(1, 1, 1h));
  // The job ends with the first of the checks of limits, which are half a minute apart.
  CHECK(wait.p10 >= 5402s);
  CHECK(wait.p10 < 5412s);
  CHECK(wait.p90 > 5422s);
  CHECK(wait.p90 <= 5435s);
  CHECK(wait.basis == "replay of 1 job with full time limits and no new arrivals, priority from the test");
}

TEST_CASE("a list with fewer nodes than the job has is part of its nodes") {
  Cluster cluster = queue_cluster(3, 4);
  running(cluster, "1", {"n0"}, 4, 2h);
  Strategy strategy = a_strategy(2, 4, 1h);
  CHECK(median(cluster, strategy) == 0);
  strategy.nodelist = {"n1"};
  CHECK(median(cluster, strategy) == 0);
  strategy.nodelist = {"n0"};
  CHECK(starts_at(median(cluster, strategy), 2h));
  strategy.nodelist = {"n9"};
  CHECK(median(cluster, strategy) == -1);
}

TEST_CASE("a waiting job gets the nodes that it names, and others") {
  Cluster cluster = queue_cluster(3, 4);
  running(cluster, "1", {"n0", "n1", "n2"}, 4, 1h);
  pending(cluster, "2", 2, 4, 10h).required_nodes = {"n2"};
  Strategy strategy = a_strategy(1, 4, 1h);
  strategy.nodelist = {"n2"};
  CHECK(starts_at(median(cluster, strategy), 11h));
  strategy.nodelist = {};
  CHECK(starts_at(median(cluster, strategy), 1h));
}

TEST_CASE("more than the cluster has never starts") {
  CHECK(median(queue_cluster(2, 4), a_strategy(3, 4, 1h)) == -1);
  CHECK(median(queue_cluster(2, 4), a_strategy(1, 5, 1h)) == -1);
}

TEST_CASE("a job ahead starts first, and a job behind has no effect") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 1h);
  pending(cluster, "2", 1, 1, 2h, 500);
  ForecastInputs mine = test::last_in_line();
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h), mine), 3h));
  mine.priority = 501;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h), mine), 1h));
  mine.priority = 500;  // equal: the one that was there
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h), mine), 3h));
}

TEST_CASE("backfill: a short job slips in before a big one, a long one does not") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h);
  CHECK(median(cluster, a_strategy(1, 4, 3h)) <= 30);
  CHECK(median(cluster, a_strategy(1, 4, 3h)) > 0);  // not before the first backfill pass
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 5h)), 6h));
}

TEST_CASE("backfill plans no start for a job whose QOS has NoReserve") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h).qos = "loose";
  test::add_qos(cluster, "loose");
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 5h)), 6h));
  test::qos_of(cluster, "loose").flags = {"NoReserve"};
  CHECK(median(cluster, a_strategy(1, 4, 5h)) <= 30);
}

TEST_CASE("plans consider ends in growing windows: a late plan leaves room before it") {
  Cluster cluster = queue_cluster(3, 2);
  running(cluster, "1", {"n0"}, 1, 1h);
  running(cluster, "2", {"n1"}, 2, 67min);
  running(cluster, "3", {"n2"}, 1, 5min);
  running(cluster, "4", {"n2"}, 1, 10h);
  pending(cluster, "5", 1, 2, 2h);  // n0 is its own after an hour, but looked at with the end on n1
  CHECK(median(cluster, a_strategy(1, 1, 63min)) <= 30);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 68min)), 5min));
}

TEST_CASE("without backfill no job overtakes another") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h);
  cluster.controller.scheduler_type = "sched/builtin";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 3h)), 6h));
}

TEST_CASE("a planned job keeps its whole node, as Slurm's plan is made of nodes") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 2, 1h);
  pending(cluster, "2", 1, 3, 1h);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 2h)), 1h));  // beside job 2 from its start on, not before
  CHECK(median(cluster, a_strategy(1, 1, 50min)) <= 30);
}

TEST_CASE("bf_window: no plan starts after it, so long jobs can start") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 30h);
  pending(cluster, "2", 2, 4, 2h);
  CHECK(median(cluster, a_strategy(1, 4, 40h)) <= 30);
  cluster.controller.scheduler_parameters["bf_window"] = "2880";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 40h)), 32h));
}

TEST_CASE("bf_max_job_test: jobs deeper in the queue are not considered") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h);
  cluster.controller.scheduler_parameters["bf_max_job_test"] = "1";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 3h)), 6h));
}

TEST_CASE("a higher tier comes before any priority") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 1h);
  test::add_partition(cluster, "low").max_time = 240h;
  cluster.nodes[0].partitions.push_back("low");
  test::partition_of(cluster, "gpu").priority_tier = 2;
  pending(cluster, "2", 1, 1, 2h, 5000).partitions = {"low"};
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  test::partition_of(cluster, "low").priority_tier = 2;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
}

TEST_CASE("reservations: not in one, not into one") {
  Cluster cluster = queue_cluster(1, 1);
  Reservation maintenance;
  maintenance.name = "upgrade";
  maintenance.start = test::noon + 1h;
  maintenance.end = test::noon + 3h;
  maintenance.nodes = {"n0"};
  maintenance.flags = {"MAINT"};
  cluster.reservations = {maintenance};
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 61min)), 3h));
  cluster.reservations[0].start = test::noon - 1h;
  cluster.nodes[0].state = {"IDLE", {"MAINTENANCE", "RESERVED"}};
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
  SUBCASE("a job of the reservation runs in it") {
    pending(cluster, "2", 1, 1, 4h).reservation = "upgrade";
    CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 4h));
  }
}

TEST_CASE("a magnetic reservation is open only to the jobs that it accepts") {
  Cluster cluster = queue_cluster(1, 1);
  Reservation magnetic;
  magnetic.name = "class";
  magnetic.start = test::noon - 1h;
  magnetic.end = test::noon + 24h;
  magnetic.nodes = {"n0"};
  magnetic.flags = {"MAGNETIC"};
  magnetic.users = {"me"};
  cluster.reservations = {magnetic};
  cluster.nodes[0].state = {"IDLE", {"RESERVED"}};
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  SUBCASE("another's job waits for its end") {
    pending(cluster, "2", 1, 1, 2h, 5000);
    CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 0min));
  }
  SUBCASE("the user's own job that is too long for it holds nobody up") {
    QueuedJob& longer = pending(cluster, "2", 1, 1, 48h, 5000);
    longer.user = "me";
    CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 0min));
  }
  SUBCASE("not for other users") {
    cluster.reservations[0].users = {"ann"};
    CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 24h));
  }
  SUBCASE("not in other partitions") {
    cluster.reservations[0].partitions = {"debug"};
    CHECK(median(cluster, a_strategy(1, 1, 1h)) == -1);
  }
}

TEST_CASE("a node that another user has to themselves frees up with that user's last job") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 1, 2h);
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  cluster.nodes[0].owner = "other";
  test::add_partition(cluster, "own").exclusive_user = true;
  cluster.nodes[0].partitions.emplace_back("own");
  cluster.jobs[0].partitions = {"own"};
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 2h));
}

TEST_CASE("a partition for one user waits for other users' jobs, not for the user's own") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 1, 1h).user = "me";
  test::partition_of(cluster, "gpu").exclusive_user = true;
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  running(cluster, "2", {"n0"}, 1, 2h);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 2h));
}

TEST_CASE("MaxCPUsPerNode lets a job start when enough of the partition's jobs have ended") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 1, 1h).cpus = 3;
  running(cluster, "2", {"n0"}, 1, 2h).cpus = 3;
  for (QueuedJob& job : cluster.jobs) job.requested["cpu"] = 3;
  cluster.nodes[0].cpus_used = 6;
  Strategy strategy = a_strategy(1, 1, 1h);
  strategy.cpus_per_node = 4;
  CHECK(median(cluster, strategy) == 0);
  test::partition_of(cluster, "gpu").max_cpus_per_node = 8;
  CHECK(starts_at(median(cluster, strategy), 1h));
  strategy.cpus_per_node = 6;
  CHECK(starts_at(median(cluster, strategy), 2h));
}

TEST_CASE("a job waits for the last job that shares CPUs where its own partition does not") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 1, 1h).partitions = {"force"};
  Partition& force = test::add_partition(cluster, "force");
  force.forced_sharing = true;
  force.jobs_per_cpu = 2;
  cluster.nodes[0].partitions.emplace_back("force");
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  // In the partition itself two jobs may have the same CPUs.
  Strategy strategy = a_strategy(1, 1, 1h);
  strategy.partitions = {"force"};
  strategy.cpus_per_node = 32;
  CHECK(median(cluster, strategy) == 0);
}

TEST_CASE("nodes of one job free up under one switch") {
  Cluster cluster = queue_cluster(4, 1);
  for (std::size_t i = 0; i < 4; ++i) cluster.nodes[i].top_switch = i < 2 ? "west" : "east";
  running(cluster, "1", {"n0"}, 1, 2h);
  running(cluster, "2", {"n3"}, 1, 1h);
  CHECK(starts_at(median(cluster, a_strategy(2, 1, 1h)), 1h));
  CHECK(median(cluster, a_strategy(3, 1, 1h)) == -1);
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
}

TEST_CASE("with DefMemPerGPU a job waits for memory that it has not requested") {
  Cluster cluster = queue_cluster(1, 4);
  QueuedJob& holder = running(cluster, "1", {"n0"}, 1, 1h);
  holder.requested["mem"] = test::gb(200).count;
  cluster.nodes[0].memory_used = test::gb(200);
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  test::partition_of(cluster, "gpu").default_memory_per_gpu = test::gb(60);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
}

TEST_CASE("drained nodes offer no GPUs, and nodes that will return do so after their jobs") {
  Cluster cluster = queue_cluster(1, 1);
  for (const char* flag : {"DRAIN", "NOT_RESPONDING", "BLOCKED", "QUARANTINED"}) {
    cluster.nodes[0].state = {"IDLE", {flag}};
    CHECK(median(cluster, a_strategy(1, 1, 1h)) == -1);
  }
  cluster.nodes[0].state = {"IDLE", {"PLANNED"}};
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  cluster.nodes[0].state = {"MIXED", {"COMPLETING"}};
  cluster.nodes[0].gpus[0].used = 1;
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 12);
}

TEST_CASE("a node that reboots comes back a boot after its last job has ended") {
  Cluster cluster = queue_cluster(1, 2);
  cluster.controller.resume_timeout = 10min;
  cluster.nodes[0].state = {"DOWN", {"DRAIN", "REBOOT_ISSUED"}, "RESUME"};
  CHECK(starts_at(median(cluster, a_strategy(1, 2, 1h)), 10min));
  running(cluster, "1", {"n0"}, 1, 2h, 1h);
  cluster.nodes[0].state = {"MIXED", {"DRAIN", "REBOOT_REQUESTED"}, "RESUME"};
  CHECK(starts_at(median(cluster, a_strategy(1, 2, 1h)), 70min));
  cluster.nodes[0].state.next = "DOWN";
  CHECK(median(cluster, a_strategy(1, 2, 1h)) == -1);
}

TEST_CASE("a node that is switched off takes as long as it may to come up") {
  Cluster cluster = queue_cluster(2, 1);
  cluster.controller.resume_timeout = 10min;
  cluster.nodes[0].state = {"IDLE", {"CLOUD", "POWERED_DOWN"}};
  CHECK(median(cluster, a_strategy(1, 1, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(2, 1, 1h)), 10min));
  // A job has it switched on, and holds it beyond that.
  cluster.nodes[0].state = {"MIXED", {"CLOUD", "POWERING_UP"}};
  running(cluster, "1", {"n0"}, 1, 1h);
  CHECK(starts_at(median(cluster, a_strategy(2, 1, 1h)), 1h));
}

TEST_CASE("the end of hidden jobs is unknown") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 1, 1h);
  cluster.nodes[0].gpus[0].used = 4;
  // The rest of what is used is a job's share, unless others may be there that nobody sees.
  CHECK(starts_at(median(cluster, a_strategy(1, 2, 1h)), 1h));
  cluster.unanswered[jobs_of_others] = "PrivateData";
  CHECK(test::wait_of(cluster, a_strategy(1, 1, 1h)).p50);
  const Wait wait = test::wait_of(cluster, a_strategy(1, 2, 1h));
  CHECK_FALSE(wait.p50);
  CHECK(wait.basis.find("1 node held by jobs that the queue does not show") != std::string::npos);
  CHECK(wait.basis.find("other users' jobs") != std::string::npos);
}

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

TEST_CASE("a job for whole nodes waits for an empty one") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 1, 1h);
  pending(cluster, "2", 1, 1, 2h).exclusive = true;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 2h)), 3h));
  cluster.jobs.back().exclusive = false;
  CHECK(median(cluster, a_strategy(1, 1, 2h)) <= 30);
}

TEST_CASE("CPUs and memory bind like GPUs") {
  Cluster cluster = queue_cluster(1, 4);
  QueuedJob& holder = running(cluster, "1", {"n0"}, 1, 1h);
  Strategy strategy = a_strategy(1, 1, 1h);
  strategy.memory_per_node = test::gb(100);
  CHECK(median(cluster, strategy) == 0);
  holder.requested["mem"] = test::gb(200).count;
  cluster.nodes[0].memory_used = test::gb(200);
  CHECK(starts_at(median(cluster, strategy), 1h));
  strategy.memory_per_node = test::gb(50);
  CHECK(median(cluster, strategy) == 0);
  strategy.cpus_per_node = 32;
  CHECK(starts_at(median(cluster, strategy), 1h));
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

TEST_CASE("several nodes wait for the last of them") {
  Cluster cluster = queue_cluster(3, 2);
  running(cluster, "1", {"n0"}, 1, 1h);
  running(cluster, "2", {"n1"}, 1, 2h);
  running(cluster, "3", {"n2"}, 1, 3h);
  CHECK(starts_at(median(cluster, a_strategy(2, 2, 1h)), 2h));
  CHECK(starts_at(median(cluster, a_strategy(1, 2, 1h)), 1h));
  CHECK(median(cluster, a_strategy(2, 1, 1h)) == 0);
}

TEST_CASE("strategies of one job are not in each other's strategy") {
  Cluster cluster = queue_cluster(1, 2);
  running(cluster, "1", {"n0"}, 2, 1h);
  const Forecast seen =
      test::foresee(cluster, {a_strategy(1, 2, 1h), a_strategy(1, 1, 2h), a_strategy(1, 2, 3h)}, test::last_in_line());
  for (const Prospect& one : seen.prospects) CHECK(starts_at(summary_of(one.starts, "").p50->count(), 1h));
}

TEST_CASE("the order of the snapshot's jobs does not matter, and the same seed gives the same starts") {
  Cluster cluster = queue_cluster(4, 4);
  for (int i = 0; i < 8; ++i) running(cluster, std::to_string(i), {"n" + std::to_string(i % 4)}, 2, 1h * (1 + i % 5));
  for (int i = 10; i < 60; ++i)
    pending(cluster, std::to_string(i), 1 + i % 2, 1 + i % 3, 1h * (1 + i % 7), i % 4 * 100);
  ForecastInputs inputs = test::last_in_line();
  for (int i = 0; i < 200; ++i) {
    FinishedJob job;
    job.user = "other";
    job.partition = "gpu";
    job.submitted = job.eligible = test::noon - 3min * i - 2h;
    job.start = job.submitted + 10min;
    job.end = job.start + 1min * (1 + i % 60);
    job.limit = 1h;
    job.cpus = job.gpus = 1;
    inputs.finished.push_back(job);
  }
  const std::vector<Strategy> strategies{a_strategy(1, 4, 2h), a_strategy(2, 2, 2h)};
  const Forecast first = test::foresee(cluster, strategies, inputs);
  CHECK(std::any_of(first.prospects[0].starts.begin(), first.prospects[0].starts.end(),
                    [&](ReplayTime at) { return at != first.prospects[0].starts[0]; }));
  std::mt19937 shuffler(7);
  for (int i = 0; i < 3; ++i) {
    std::shuffle(cluster.jobs.begin(), cluster.jobs.end(), shuffler);
    std::shuffle(inputs.finished.begin(), inputs.finished.end(), shuffler);
    inputs.threads = 1 + i;
    const Forecast again = test::foresee(cluster, strategies, inputs);
    CHECK(again.prospects[0].starts == first.prospects[0].starts);
    CHECK(again.prospects[1].starts == first.prospects[1].starts);
    CHECK(again.basis == first.basis);
  }
  inputs.seed = 2;
  CHECK(test::foresee(cluster, strategies, inputs).prospects[0].starts != first.prospects[0].starts);
}

TEST_CASE("jobs of a lower tier make room, those of the same tier do not") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  test::add_partition(cluster, "low").max_time = 240h;
  cluster.nodes[1].partitions.push_back("low");
  test::partition_of(cluster, "gpu").priority_tier = 2;
  running(cluster, "2", {"n1"}, 4, 8h, 30min).partitions = {"low"};
  test::partition_of(cluster, "low").preempt_mode = "REQUEUE";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));  // no word of preemption
  cluster.controller.preempt_type = "preempt/partition_prio";
  cluster.controller.preempt_mode = "REQUEUE";
  CHECK(median(cluster, a_strategy(1, 4, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(2, 4, 1h)), 4h));  // the other node's is of the same tier
  SUBCASE("not of an equal tier") {
    test::partition_of(cluster, "low").priority_tier = 2;
    CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));
  }
  SUBCASE("not where they are suspended only, or left alone") {
    for (const char* mode : {"GANG,SUSPEND", "OFF"}) {
      test::partition_of(cluster, "low").preempt_mode = mode;
      CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));
    }
  }
  SUBCASE("not before their exempt time is over") {
    cluster.controller.preempt_exempt_time = 50min;
    CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 20min));
  }
  SUBCASE("they end at some time in their grace") {
    test::partition_of(cluster, "low").grace_time = 5min;
    const Wait wait = test::wait_of(cluster, a_strategy(1, 4, 1h));
    REQUIRE(wait.p10);
    REQUIRE(wait.p90);
    CHECK(*wait.p10 < 90s);
    CHECK(*wait.p90 > 200s);
    CHECK(*wait.p90 <= 5min);
  }
  SUBCASE("not where QOS decide") {
    cluster.controller.preempt_type = "preempt/qos";
    CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));
  }
}

TEST_CASE("jobs of a QOS make room for those of one that preempts it") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 4, 4h, 30min).qos = "scavenger";
  cluster.controller.preempt_type = "preempt/qos";
  cluster.controller.preempt_mode = "REQUEUE";
  cluster.qos.resize(2);
  cluster.qos[0].name = "scavenger";
  cluster.qos[1].name = "urgent";
  cluster.qos[1].preempts = {"scavenger"};
  Strategy urgent = a_strategy(1, 4, 1h);
  urgent.qos = "urgent";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 3h + 30min));
  CHECK(median(cluster, urgent) == 0);
  SUBCASE("by its own mode and exempt time") {
    cluster.qos[0].preempt_exempt_time = 40min;
    CHECK(starts_at(median(cluster, urgent), 10min));
    cluster.qos[0].preempt_mode = "suspend";
    CHECK(starts_at(median(cluster, urgent), 3h + 30min));
  }
  SUBCASE("what nobody has said is reported as not modelled") {
    cluster.unanswered["preemption between QOS"] = "just asked";
    CHECK(test::wait_of(cluster, urgent).basis.ends_with("; not modelled: preemption between QOS"));
  }
}

TEST_CASE("MaxCPUsPerNode bounds the jobs of a partition on a node together: the next one waits for one of these") {
  Cluster cluster = queue_cluster(1, 4);
  test::add_partition(cluster, "small").max_cpus_per_node = 2;
  cluster.nodes[0].partitions.push_back("small");
  running(cluster, "1", {"n0"}, 1, 30min).partitions = {"small"};
  running(cluster, "2", {"n0"}, 1, 2h).partitions = {"small"};
  running(cluster, "3", {"n0"}, 1, 10min);
  Strategy small = a_strategy(1, 1, 1h);
  CHECK(median(cluster, small) <= 30);
  small.partitions = {"small"};
  CHECK(starts_at(median(cluster, small), 30min));
  test::partition_of(cluster, "small").max_cpus_per_node = 3;
  CHECK(median(cluster, small) <= 30);
}
