// Requests without GPUs: which partitions give them, with what, in which order.

#include <doctest/doctest.h>

#include "planner/make_plan.h"
#include "planner/strategies/spare_gpu_nodes.h"
#include "tests/planner/enumerate_strategies.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

Request cpus(int count) {
  Request request = test::ask(0, 30min);
  request.cpus = count;
  return request;
}

std::vector<std::string> partitions_of(const std::vector<Strategy>& strategies) {
  std::vector<std::string> names;
  for (const Strategy& one : strategies) names.insert(names.end(), one.partitions.begin(), one.partitions.end());
  return names;
}

Plan planned(const Cluster& cluster, const Request& request) {
  return make_plan(cluster, test::afton_catalogue(), request);
}

/// Every CPU of the partition's nodes is in use.
void fill(Cluster& cluster, const std::string& partition) {
  for (Node& node : cluster.nodes) {
    if (node.partitions.front() == partition) node.cpus_used = node.cpus;
  }
}

}  // namespace

TEST_CASE("a CPU request has strategies in all partitions, without GPUs and on one node") {
  const Plan plan = test::enumerated(cpus(16));
  CHECK(partitions_of(plan.strategies).size() == test::afton().partitions.size() - 1);  // the slices' has 2 CPUs a job
  for (const Strategy& one : plan.strategies) {
    CHECK(one.gpus() == 0);
    CHECK(one.nodes == 1);
    CHECK(one.cpus_per_node == 16);
    CHECK(one.gpu.name.empty());
    CHECK(one.gres_type.empty());
    CHECK(one.on_gpu_nodes == (one.partitions.front() != "standard"));
  }
}

TEST_CASE("of a CPU request only partitions without GPUs are used where one starts at once") {
  const Plan plan = planned(test::afton(), cpus(16));
  CHECK(partitions_of(plan.strategies) == std::vector<std::string>{"standard"});
  CHECK(plan.strategies.front().wait.basis == free_now_basis);
  const bool said = std::any_of(plan.rejected.begin(), plan.rejected.end(), [](const Rejection& one) {
    return one.gpu_type.empty() && one.reason.ends_with(" have GPUs, and standard without GPUs starts soon");
  });
  CHECK(said);
}

TEST_CASE("those with GPUs come in where the others are busy, and where they are all that fits") {
  Cluster busy = test::afton();
  fill(busy, "standard");
  const Plan plan = planned(busy, cpus(16));
  CHECK(plan.strategies.front().on_gpu_nodes);
  CHECK(plan.strategies.front().wait.basis == free_now_basis);
  CHECK(partitions_of(plan.strategies).back() == "standard");
  CHECK(partitions_of(planned(test::afton(), cpus(100)).strategies) ==
        std::vector<std::string>{"gpu-a100-40", "gpu-a100-80"});
}

TEST_CASE("of equal starts the nodes without GPUs come first") {
  Cluster busy = test::afton();
  for (const char* name : {"standard", "gpu-a40"}) fill(busy, name);
  Request request = cpus(16);
  request.partitions = {"gpu-a40", "standard"};
  CHECK(partitions_of(planned(busy, request).strategies) == std::vector<std::string>{"standard", "gpu-a40"});
}

TEST_CASE("a named partition with GPUs is used for CPUs") {
  Request request = cpus(4);
  request.partitions = {"gpu-v100"};
  CHECK(partitions_of(planned(test::afton(), request).strategies) == request.partitions);
}

TEST_CASE("nothing fits: more CPUs or memory than any node has") {
  const Plan many = planned(test::afton(), cpus(1000));
  CHECK(many.strategies.empty());
  const bool said = std::any_of(many.rejected.begin(), many.rejected.end(), [](const Rejection& one) {
    return one.reason == "nodes of standard have 40 CPUs at most; you asked for 1000";
  });
  CHECK(said);
  Request much = cpus(1);
  much.memory = test::gb(100'000);
  CHECK(planned(test::afton(), much).strategies.empty());
  Request nodes = cpus(1);
  nodes.partitions = {"standard"};
  nodes.nodes = 3;
  const Plan few = planned(test::afton(), nodes);
  REQUIRE(few.rejected.size() == 1);
  CHECK(few.rejected.front().reason == "standard has 2 nodes that can run it; 3 nodes are needed");
}

TEST_CASE("limits on CPUs count for CPU requests as for others") {
  Cluster limited = test::afton();
  test::qos_of(limited, "normal").max_tres_per_job = {{"cpu", 10}};
  Request request = cpus(16);
  request.partitions = {"standard"};
  const Plan plan = planned(limited, request);
  CHECK(plan.strategies.empty());
  REQUIRE(plan.rejected.size() == 1);
  CHECK(plan.rejected.front().reason.find("10 CPUs") != std::string::npos);
  request.cpus = 10;
  CHECK(planned(limited, request).strategies.size() == 1);
}

TEST_CASE("one CPU and Slurm's memory are the defaults") {
  Cluster cluster = test::afton();
  cluster.controller.select_type_parameters = "CR_CORE_MEMORY";
  Request request = test::ask(0, 30min);
  request.partitions = {"standard"};
  const auto memory = [&] { return planned(cluster, request).strategies.front().memory_per_node; };
  CHECK(planned(cluster, request).strategies.front().cpus_per_node == 1);
  CHECK(memory() == test::gb(375));  // a whole node's, as Slurm gives it without a default
  cluster.controller.default_memory_per_node = Mebibytes{3000};
  CHECK(memory() == Mebibytes{3000});
  cluster.controller.default_memory_per_cpu = Mebibytes{2000};
  request.cpus = 3;
  CHECK(memory() == Mebibytes{6000});
  test::partition_of(cluster, "standard").default_memory_per_node = Mebibytes{5000};
  CHECK(memory() == Mebibytes{5000});
  test::partition_of(cluster, "standard").default_memory_per_cpu = Mebibytes{1000};
  CHECK(memory() == Mebibytes{3000});
  test::partition_of(cluster, "standard").max_memory_per_cpu = Mebibytes{900};
  CHECK(memory() == Mebibytes{2700});
  request.memory = Mebibytes{500};
  CHECK(memory() == Mebibytes{500});
  request.memory.reset();
  cluster = test::afton();
  cluster.controller.select_type_parameters = "CR_CORE";
  CHECK(memory() == Mebibytes{0});
}

TEST_CASE("a cluster without any GPU has strategies for CPU requests alone") {
  Cluster plain = test::afton();
  for (Node& node : plain.nodes) node.gpus.clear();
  CHECK(planned(plain, cpus(4)).strategies.size() > 1);
  CHECK(planned(plain, test::ask(1, 30min)).strategies.empty());
}

TEST_CASE("a partition of all nodes does not take the place of the one without GPUs") {
  Cluster cluster = test::afton();
  test::add_partition(cluster, "all");
  for (Node& node : cluster.nodes) node.partitions.push_back("all");
  CHECK(partitions_of(planned(cluster, cpus(4)).strategies) == std::vector<std::string>{"standard"});
}

TEST_CASE("a CPU strategy waits for CPUs and for memory") {
  Cluster cluster = test::afton();
  Request request = cpus(30);
  request.partitions = {"standard"};
  const auto basis = [&] { return planned(cluster, request).strategies.front().wait.basis; };
  for (Node& node : cluster.nodes) node.cpus_used = 20;
  CHECK(basis() != free_now_basis);
  request.cpus = 20;
  CHECK(basis() == free_now_basis);
  request.memory = test::gb(300);
  for (Node& node : cluster.nodes) node.memory_used = test::gb(100);
  CHECK(basis() != free_now_basis);
}

TEST_CASE("segments are spared like whole jobs, but not for each other") {
  Plan plan;
  Strategy cpu;
  cpu.gpus_per_node = 0;
  cpu.partitions = {"cpu"};
  cpu.wait.p50 = 10s;
  Strategy gpu = cpu;
  gpu.partitions = {"gpu"};
  gpu.on_gpu_nodes = true;
  gpu.kind = Kind::checkpoint;
  plan.strategies = {cpu, gpu};
  spare_gpu_nodes(plan, 60s);
  CHECK(plan.strategies.size() == 2);
  plan.strategies[1].kind = Kind::plain;
  plan.strategies[0].wait.p50 = 61s;
  spare_gpu_nodes(plan, 60s);
  CHECK(plan.strategies.size() == 2);
  plan.strategies[0].wait.p50 = 60s;
  spare_gpu_nodes(plan, 60s);
  CHECK(partitions_of(plan.strategies) == std::vector<std::string>{"cpu"});
}

TEST_CASE("the shape of a strategy names GPUs, or CPUs and memory") {
  Strategy strategy;
  strategy.gpu.title = "A40";
  strategy.gpus_per_node = 4;
  CHECK(shape_in_words(strategy) == "4× A40");
  strategy.nodes = 2;
  CHECK(shape_in_words(strategy) == "2×4 A40");
  strategy.gpus_per_node = 0;
  strategy.cpus_per_node = 16;
  CHECK(shape_in_words(strategy) == "2×16 CPUs");
  strategy.nodes = 1;
  strategy.memory_per_node = test::gb(64);
  CHECK(shape_in_words(strategy) == "16 CPUs, 64G");
}
