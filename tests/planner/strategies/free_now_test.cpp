#include "planner/strategies/free_now.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

Strategy a_strategy(int nodes = 1, int gpus = 4) {
  Strategy strategy;
  strategy.gpu.name = "a40";
  strategy.gres_type = "a40";
  strategy.nodes = nodes;
  strategy.gpus_per_node = gpus;
  strategy.partitions = {"gpu-a40"};
  strategy.time_limit = 2h;
  strategy.cpus_per_node = 32;
  strategy.memory_per_node = test::gb(600);
  return strategy;
}

std::string basis(const Cluster& cluster, const Strategy& strategy = a_strategy()) {
  const Wait wait =
      wait_now(index_cluster(cluster, test::afton_catalogue()), measure_usage(cluster), NodeTenants(cluster), strategy);
  CHECK((wait.p50 == 0s) == (wait.basis == "free now"));
  CHECK((wait.p10 == wait.p50 && wait.p50 == wait.p90));
  return wait.basis;
}

QueuedJob running_on(const std::string& node, const std::string& partition, int cpus) {
  QueuedJob job;
  job.user = "somebody";
  job.partitions = {partition};
  job.state = "RUNNING";
  job.cpus = cpus;
  job.node_names = {node};
  return job;
}

/// One node busy, the other as `change` makes it.
template <typename Change>
std::string basis_with(Change change) {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").state.base = "DOWN";
  change(test::node_of(cluster, "an33-2"));
  return basis(cluster);
}

Reservation reservation(TimePoint start, std::vector<std::string> nodes, std::vector<std::string> flags) {
  Reservation one;
  one.start = start;
  one.end = start + 4h;
  one.nodes = std::move(nodes);
  one.flags = std::move(flags);
  return one;
}

}  // namespace

TEST_CASE("idle nodes are free now") {
  CHECK(basis(test::afton()) == "free now");
  CHECK(basis(test::afton(), a_strategy(2, 4)) == "free now");
  CHECK(basis(test::afton(), a_strategy(3, 4)) == "unknown");
}

TEST_CASE("GPUs, CPUs and memory must all be idle") {
  CHECK(basis_with([](Node&) {}) == "free now");
  CHECK(basis_with([](Node& node) { node.gpus[0].used = 4; }) == "free now");
  CHECK(basis_with([](Node& node) { node.gpus[0].used = 5; }) == "unknown");
  CHECK(basis_with([](Node& node) { node.cpus_used = 64; }) == "free now");
  CHECK(basis_with([](Node& node) { node.cpus_used = 65; }) == "unknown");
  CHECK(basis_with([](Node& node) { node.memory_used = test::gb(864); }) == "free now");
  CHECK(basis_with([](Node& node) { node.memory_used = test::gb(865); }) == "unknown");
}

TEST_CASE("a node that is promised, cleaning up or not awake is not free") {
  CHECK(basis_with([](Node& node) { node.state = {"MIXED", {"CLOUD"}}; }) == "free now");
  for (const char* flag : {"PLANNED", "RESERVED", "COMPLETING", "DRAIN", "POWERED_DOWN", "POWERING_UP",
                           "REBOOT_REQUESTED", "MAINTENANCE", "NOT_RESPONDING", "BLOCKED", "EXTERNAL", "QUARANTINED"}) {
    CAPTURE(flag);
    CHECK(basis_with([&](Node& node) { node.state.flags = {flag}; }) == "unknown");
  }
}

TEST_CASE("constraint and excluded nodes") {
  Strategy strategy = a_strategy();
  strategy.constraint = "a40&!x";
  CHECK(basis(test::afton(), strategy) == "unknown");
  strategy.constraint = "a40";
  CHECK(basis(test::afton(), strategy) == "free now");
  strategy.constraint = "other";
  CHECK(basis(test::afton(), strategy) == "unknown");
  strategy = a_strategy();
  strategy.exclude = {"an33-1"};
  CHECK(basis(test::afton(), strategy) == "free now");
  strategy.exclude = {"an33-1", "an33-2"};
  CHECK(basis(test::afton(), strategy) == "unknown");
}

TEST_CASE("a reservation that the job would run into") {
  Cluster cluster = test::afton();
  cluster.reservations = {reservation(test::noon + 1h, {"an33-1", "an33-2"}, {"MAINT"})};
  CHECK(basis(cluster) == "after maintenance");
  Strategy brief = a_strategy();
  brief.time_limit = 1h;
  CHECK(basis(cluster, brief) == "free now");
  cluster.reservations[0].flags = {};
  CHECK(basis(cluster) == "after a reservation");
  cluster.reservations[0].nodes = {"an33-1"};
  CHECK(basis(cluster) == "free now");
  CHECK(basis(cluster, a_strategy(2, 4)) == "after a reservation");
  cluster.reservations[0] = reservation(test::noon - 4h, {"an33-1"}, {});
  CHECK(basis(cluster, a_strategy(2, 4)) == "free now");
  cluster.unanswered["reservations"] = "timed out";
  CHECK(basis(cluster) == "unknown");
}

TEST_CASE("an active reservation marks its nodes, and they still wait for its end") {
  Cluster cluster = test::afton();
  cluster.reservations = {reservation(test::noon - 1h, {"an33-1", "an33-2"}, {"MAINT"})};
  cluster.reservations[0].end = test::noon + 1h;
  for (const char* name : {"an33-1", "an33-2"}) {
    test::node_of(cluster, name).state.flags = {"MAINTENANCE", "RESERVED"};
  }
  CHECK(basis(cluster) == "after maintenance");
  for (const char* name : {"an33-1", "an33-2"}) test::node_of(cluster, name).state.flags.push_back("DRAIN");
  CHECK(basis(cluster) == "unknown");
  for (const char* name : {"an33-1", "an33-2"}) test::node_of(cluster, name).state.flags = {"RESERVED"};
  cluster.reservations.clear();
  CHECK(basis(cluster) == "unknown");
}

TEST_CASE("a magnetic reservation that takes the job is not in its way") {
  Cluster cluster = test::afton();
  cluster.user = "ann";
  cluster.reservations = {reservation(test::noon - 1h, {"an33-1", "an33-2"}, {"MAGNETIC"})};
  cluster.reservations[0].end = test::noon + 24h;
  for (const char* name : {"an33-1", "an33-2"}) test::node_of(cluster, name).state.flags = {"RESERVED"};
  CHECK(basis(cluster) == "free now");
  cluster.reservations[0].users = {"bob"};
  CHECK(basis(cluster) == "after a reservation");
  cluster.reservations[0].users = {};
  cluster.reservations[0].partitions = {"-gpu-a40"};
  CHECK(basis(cluster) == "after a reservation");
}

TEST_CASE("jobs of a partition with Exclusive=USER share nodes with the same user's only") {
  CHECK(basis_with([](Node& node) { node.owner = "somebody"; }) == "unknown");
  Cluster cluster = test::afton();
  cluster.user = "ann";
  for (const char* name : {"an33-1", "an33-2"}) {
    test::node_of(cluster, name).cpus_used = 1;
    cluster.jobs.push_back(running_on(name, "gpu-v100", 1));
  }
  CHECK(basis(cluster) == "free now");
  test::partition_of(cluster, "gpu-a40").exclusive_user = true;
  CHECK(basis(cluster) == "unknown");
  cluster.jobs[0].user = "ann";  // of whatever partition
  CHECK(basis(cluster) == "free now");
  // Where the queue is hidden, the node's own word is enough.
  cluster.jobs.clear();
  cluster.unanswered[jobs_of_others] = "hidden";
  CHECK(basis(cluster) == "unknown");
  test::node_of(cluster, "an33-1").owner = "ann";
  CHECK(basis(cluster) == "free now");
}

TEST_CASE("MaxCPUsPerNode bounds the partition's jobs on a node together") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").max_cpus_per_node = 40;
  test::node_of(cluster, "an33-2").state.base = "DOWN";
  test::node_of(cluster, "an33-1").cpus_used = 9;
  cluster.jobs.push_back(running_on("an33-1", "gpu-v100", 9));
  CHECK(basis(cluster) == "free now");
  cluster.jobs[0].partitions = {"gpu-a40"};
  CHECK(basis(cluster) == "unknown");
  cluster.jobs[0].cpus = 8;
  CHECK(basis(cluster) == "free now");
  cluster.unanswered[jobs_of_others] = "hidden";
  CHECK(basis(cluster) == "unknown");
}

TEST_CASE("jobs of partitions with and without OverSubscribe=FORCE don't meet on a node") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-2").state.base = "DOWN";
  test::node_of(cluster, "an33-1").cpus_used = 1;
  cluster.jobs.push_back(running_on("an33-1", "gpu-v100", 1));
  test::partition_of(cluster, "gpu-v100").forced_sharing = true;
  test::partition_of(cluster, "gpu-v100").jobs_per_cpu = 2;
  CHECK(basis(cluster) == "unknown");
  test::partition_of(cluster, "gpu-a40").forced_sharing = true;
  CHECK(basis(cluster) == "free now");
  test::partition_of(cluster, "gpu-v100").forced_sharing = false;
  test::partition_of(cluster, "gpu-v100").jobs_per_cpu = 1;
  CHECK(basis(cluster) == "unknown");
}

TEST_CASE("DefMemPerGPU must be free for each GPU, whatever memory the job asks for") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-2").state.base = "DOWN";
  test::node_of(cluster, "an33-1").memory_used = test::gb(664);
  cluster.controller.default_memory_per_gpu = test::gb(200);
  CHECK(basis(cluster) == "free now");
  test::partition_of(cluster, "gpu-a40").default_memory_per_gpu = test::gb(201);
  CHECK(basis(cluster) == "unknown");
}

TEST_CASE("nodes of one job are under one top switch") {
  Cluster cluster = test::afton();
  for (Node& node : cluster.nodes) node.top_switch = node.name.ends_with("1") ? "west" : "east";
  CHECK(basis(cluster, a_strategy(1, 4)) == "free now");
  CHECK(basis(cluster, a_strategy(2, 4)) == "unknown");
  for (Node& node : cluster.nodes) node.top_switch = node.name;  // under none
  cluster.controller.version = "25.05.8";
  CHECK(basis(cluster, a_strategy(1, 4)) == "unknown");
  cluster.controller.version = "26.05.3";
  CHECK(basis(cluster, a_strategy(1, 4)) == "free now");
  CHECK(basis(cluster, a_strategy(2, 4)) == "unknown");
}

TEST_CASE("one free partition of a list is enough, but nodes of two don't add up") {
  Cluster cluster = test::afton();
  test::add_nodes(cluster, "x", 1, "gpu-v100", {"a40", 8}, 96, 1464, {"a40"});
  Strategy strategy = a_strategy();
  strategy.partitions = {"gpu-a40", "gpu-v100"};
  test::partition_of(cluster, "gpu-a40").up = false;
  CHECK(basis(cluster, strategy) == "free now");
  test::partition_of(cluster, "gpu-a40").up = true;
  strategy.nodes = 3;
  CHECK(basis(cluster, strategy) == "unknown");
}

TEST_CASE("an exclusive partition needs empty nodes") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").exclusive = true;
  CHECK(basis(cluster) == "free now");
  test::node_of(cluster, "an33-1").cpus_used = 1;
  test::node_of(cluster, "an33-2").gpus[0].used = 1;
  CHECK(basis(cluster) == "unknown");
}

TEST_CASE("--exclusive needs empty nodes, --mem=0 nodes of whose memory nothing is in use") {
  Cluster cluster = test::afton();
  Strategy exclusive = a_strategy();
  exclusive.exclusive = true;
  Strategy all_memory = a_strategy();
  all_memory.all_memory = true;
  CHECK(basis(cluster, exclusive) == "free now");
  for (const char* node : {"an33-1", "an33-2"}) test::node_of(cluster, node).cpus_used = 1;
  CHECK(basis(cluster, exclusive) == "unknown");
  CHECK(basis(cluster, all_memory) == "free now");
  for (const char* node : {"an33-1", "an33-2"}) test::node_of(cluster, node).memory_used = {1000};
  CHECK(basis(cluster, all_memory) == "unknown");
  CHECK(basis(cluster) == "free now");
}

TEST_CASE("limits shared with running jobs are in the way") {
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 6}};
  CHECK(basis(cluster) == "free now");
  QueuedJob job;
  job.user = cluster.user;
  job.qos = "normal";
  job.state = "RUNNING";
  job.partitions = {"gpu-v100"};
  job.requested = {{"gres/gpu", 3}};
  cluster.jobs = {job};
  CHECK(basis(cluster) == "unknown");
  cluster.jobs[0].state = "PENDING";
  CHECK(basis(cluster) == "free now");
}
