#include "planner/cluster/limits.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

Limits limits_of(const Cluster& cluster, const std::string& partition, const std::string& qos = "normal") {
  return effective_limits(cluster, *cluster.find_partition(partition), cluster.find_qos(qos),
                          &cluster.associations.front());
}

}  // namespace

TEST_CASE("a partition QOS bounds the job and is named") {
  const Limits limits = limits_of(test::afton(), "interactive-rtx3090");
  CHECK(broken_limit(limits, {{"gres/gpu", 4}, {"gres/gpu:rtx3090", 4}}, 1, {"gres/gpu"}) ==
        "interactive-rtx3090 allows 2 GPUs a job (QOS int3090 MaxTRESPerJob gres/gpu=2); you asked for 4");
  CHECK_FALSE(broken_limit(limits, {{"gres/gpu", 2}}, 1, {}).has_value());
}

TEST_CASE("if a limit is set in several places, the first in Slurm's order counts") {
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_job = {{"gres/gpu", 1}, {"cpu", 10}};
  CHECK_FALSE(broken_limit(limits_of(cluster, "gpu-h200"), {{"gres/gpu", 4}}, 1, {}).has_value());
  CHECK(broken_limit(limits_of(cluster, "gpu-h200"), {{"cpu", 11}}, 1, {}).has_value());
  CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 2}}, 1, {}).has_value());
  test::qos_of(cluster, "normal").flags = {"OverPartQOS"};
  CHECK(broken_limit(limits_of(cluster, "gpu-h200"), {{"gres/gpu", 4}}, 1, {}).has_value());
}

TEST_CASE("every kind of upper bound is checked") {
  for (const auto field : {&Qos::max_tres_per_job, &Qos::max_tres_per_node, &Qos::max_tres_per_user,
                           &Qos::max_tres_per_account, &Qos::group_tres}) {
    Cluster cluster = test::afton();
    test::qos_of(cluster, "normal").*field = {{"gres/gpu:a40", 3}};
    CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu:a40", 4}}, 1, {}).has_value());
    CHECK_FALSE(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu:a40", 3}}, 1, {}).has_value());
  }
  for (const auto field : {&Association::max_tres_per_job, &Association::max_tres_per_node, &Association::group_tres}) {
    Cluster cluster = test::afton();
    cluster.associations[0].*field = {{"mem", 1024}};
    CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"mem", 2048}}, 1, {}).has_value());
  }
}

TEST_CASE("GrpTRES of every account above bounds a job, unless a QOS sets it") {
  Cluster cluster = test::afton();
  test::add_account(cluster, "dep").group_tres = {{"gres/gpu", 2}};
  test::add_account(cluster, "lab", "dep");
  cluster.associations[0].group_tres = {{"gres/gpu", 3}};
  CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 3}}, 1, {"gres/gpu"}) ==
        "gpu-a40 allows 2 GPUs in total (account dep GrpTRES gres/gpu=2); you asked for 3");
  cluster.accounts[0].group_tres = {{"gres/gpu", 4}};
  CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 4}}, 1, {}).has_value());
  test::qos_of(cluster, "normal").group_tres = {{"gres/gpu", 8}};
  CHECK_FALSE(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 4}}, 1, {}).has_value());
}

TEST_CASE("a limit a node is held against each node") {
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_node = {{"gres/gpu", 2}};
  const Limits limits = limits_of(cluster, "gpu-a40");
  CHECK(broken_limit(limits, {{"gres/gpu", 4}}, 1, {}).has_value());
  CHECK_FALSE(broken_limit(limits, {{"gres/gpu", 4}}, 2, {}).has_value());
}

TEST_CASE("zero is a limit and a lower bound is one too") {
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_job = {{"gres/gpu", 0}};
  CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 1}}, 1, {}).has_value());
  cluster = test::afton();
  test::qos_of(cluster, "normal").min_tres_per_job = {{"gres/gpu", 2}, {"license/x", 1}};
  CHECK(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 1}}, 1, {"gres/gpu"}) ==
        "gpu-a40 requires at least 2 GPUs a job (QOS normal MinTRESPerJob gres/gpu=2); you asked for 1");
  CHECK_FALSE(broken_limit(limits_of(cluster, "gpu-a40"), {{"gres/gpu", 2}}, 1, {}).has_value());
}

TEST_CASE("the partition's own limits") {
  Cluster cluster = test::afton();
  Partition& partition = test::partition_of(cluster, "gpu-a40");
  partition.max_cpus_per_node = 10;
  partition.max_memory_per_node = test::gb(4);
  partition.min_nodes = 2;
  const Limits limits = limits_of(cluster, "gpu-a40");
  CHECK(broken_limit(limits, {{"cpu", 21}}, 2, {}).has_value());
  CHECK_FALSE(broken_limit(limits, {{"cpu", 20}}, 2, {}).has_value());
  CHECK(broken_limit(limits, {{"mem", 4097}}, 1, {}) ==
        "gpu-a40 allows 4G memory a node (MaxMemPerNode); this would be 4097M");
  CHECK(broken_limit(limits, {{"node", 5}}, 5, {}) == "gpu-a40 allows 4 nodes a job (MaxNodes); this would be 5");
  CHECK(broken_limit(limits, {{"node", 1}}, 1, {}).has_value());
  test::qos_of(cluster, "normal").flags = {"PartitionMaxNodes", "PartitionMinNodes"};
  CHECK_FALSE(broken_limit(limits_of(cluster, "gpu-a40"), {{"node", 5}}, 5, {}).has_value());
  CHECK_FALSE(broken_limit(limits_of(cluster, "gpu-a40"), {{"node", 1}}, 1, {}).has_value());
}

TEST_CASE("a partition's memory limit replaces the cluster's") {
  Cluster cluster = test::afton();
  cluster.controller.max_memory_per_cpu = Mebibytes{4000};
  CHECK(limits_of(cluster, "gpu-mig").memory_per_cpu->most == Mebibytes{9000});
  CHECK(limits_of(cluster, "gpu-a40").memory_per_cpu->most == Mebibytes{4000});
  test::partition_of(cluster, "gpu-a40").max_memory_per_node = test::gb(100);
  CHECK_FALSE(limits_of(cluster, "gpu-a40").memory_per_cpu.has_value());
}

TEST_CASE("the shortest wall clock limit wins and is named") {
  Cluster cluster = test::afton();
  CHECK(limits_of(cluster, "gpu-a40").shortest_wall()->most == 72h);
  test::qos_of(cluster, "normal").max_wall = 10h;
  CHECK(limits_of(cluster, "gpu-a40").shortest_wall()->source == "QOS normal MaxWall");
  test::qos_of(cluster, "int3090").max_wall = 20h;
  CHECK(limits_of(cluster, "interactive-rtx3090").shortest_wall()->most == 12h);
  test::qos_of(cluster, "normal").max_wall.reset();
  cluster.associations[0].max_wall = 1h;
  CHECK(limits_of(cluster, "gpu-a40").shortest_wall()->source == "account lab MaxWall");
  test::qos_of(cluster, "normal").flags = {"PartitionTimeLimit"};
  cluster.associations[0].max_wall.reset();
  CHECK(limits_of(cluster, "gpu-a40").shortest_wall() == nullptr);
}

TEST_CASE("accounting limits count unless Slurm reports that it does not enforce them") {
  Cluster cluster = test::afton();
  const auto broken = [&] {
    return broken_limit(limits_of(cluster, "gpu-h200"), {{"gres/gpu", 8}}, 1, {}).has_value();
  };
  cluster.controller.enforced = {};
  CHECK(broken());
  cluster.controller.enforced = {"associations"};
  CHECK_FALSE(broken());
  cluster.controller.enforced = {"safe"};
  CHECK(broken());
  cluster.controller.enforced = {"none"};
  CHECK_FALSE(broken());
}

TEST_CASE("the tightest bound per node") {
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_job = {{"cpu", 30}};
  test::partition_of(cluster, "gpu-a40").max_cpus_per_node = 20;
  const Limits limits = limits_of(cluster, "gpu-a40");
  CHECK(limits.tightest("cpu", 1).per_node == 20);
  CHECK(limits.tightest("cpu", 2).per_node == 15);
  CHECK(limits.tightest("mem", 2).limit == nullptr);
}
