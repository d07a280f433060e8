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
