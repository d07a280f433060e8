#include <doctest/doctest.h>

#include "base/error.h"
#include "planner/strategies/enumerate.h"
#include "tests/planner/enumerate_strategies.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::ask;
using test::ask_for;
using test::enumerated;
using test::reasons;
using test::strategies_of;
using Names = std::vector<std::string>;

TEST_CASE("a limit a job is one rejection, a limit a node leaves the splits") {
  const Plan plan = enumerated(ask(4));
  CHECK(reasons(plan, "rtx3090") ==
        "interactive-rtx3090 allows 2 GPUs a job (QOS int3090 MaxTRESPerJob gres/gpu=2); you asked for 4");
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_node = {{"gres/gpu", 2}};
  CHECK(strategies_of(ask_for("a40", 4), cluster) == Names{"a40 2x2 plain [gpu-a40]"});
  CHECK(reasons(enumerated(ask_for("a40", 4), cluster), "a40") ==
        "gpu-a40 allows 2 GPUs a node (QOS normal MaxTRESPerNode gres/gpu=2); you asked for 4");
}

TEST_CASE("a limit on typed GPUs counts") {
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu:a100", 2}};
  CHECK(reasons(enumerated(ask_for("a100_80", 4), cluster), "a100_80") ==
        "gpu-a100-80 allows 2 a100 GPUs a user (QOS normal MaxTRESPerUser gres/gpu:a100=2); you asked for 4");
  CHECK(strategies_of(ask_for("a40", 4), cluster).size() == 2);
}

TEST_CASE("a MIG slice requests at most what its QOS allows") {
  Request request = ask(1);
  request.mig = true;
  const Strategy strategy = enumerated(request).strategies.at(0);
  CHECK(strategy.cpus_per_node == 1);
  CHECK(strategy.memory_per_node == Mebibytes{9000});
}

TEST_CASE("a walltime over the limit is rejected with its name, never cut") {
  const Plan plan = enumerated(ask_for("a40", 1, 96h));
  CHECK(plan.strategies.empty());
  CHECK(reasons(plan, "a40") == "you asked for 4d; gpu-a40 allows 3d (MaxTime)");
  CHECK(enumerated(ask_for("a40", 1, 72h)).strategies.size() == 1);
  Cluster cluster = test::afton();
  test::qos_of(cluster, "normal").max_wall = 1h;
  CHECK(reasons(enumerated(ask_for("a40", 1, 2h), cluster), "a40") ==
        "you asked for 2h; gpu-a40 allows 1h (QOS normal MaxWall)");
}

TEST_CASE("CPUs and memory are as requested, or the limit is named") {
  Request request = ask_for("a40", 2);
  request.cpus = 96;
  request.memory = test::gb(1000);
  CHECK(enumerated(request).strategies.at(0).cpus_per_node == 96);
  CHECK(enumerated(request).strategies.at(0).memory_per_node == test::gb(1000));
  request.cpus = 97;
  CHECK(reasons(enumerated(request), "a40") == "nodes of gpu-a40 have 96 CPUs at most; you asked for 97");
  request.cpus = 1;
  request.memory = test::gb(1500);
  CHECK(reasons(enumerated(request), "a40") == "nodes of gpu-a40 have 1464G memory at most; you asked for 1500G");
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").max_cpus_per_node = 8;
  request.memory.reset();
  request.cpus = 9;
  CHECK(reasons(enumerated(request, cluster), "a40") ==
        "gpu-a40 allows 8 CPUs a node (MaxCPUsPerNode); you asked for 9");
  Request mig = ask(1);
  mig.mig = true;
  mig.cpus = 3;
  CHECK(reasons(enumerated(mig), "1g.10gb") ==
        "gpu-mig allows 2 CPUs a job (QOS mig MaxTRESPerJob cpu=2); you asked for 3");
}

TEST_CASE("memory beyond what the user's CPUs may have takes more CPUs, as Slurm does") {
  Request request = ask(1);
  request.mig = true;
  request.cpus = 1;
  request.memory = Mebibytes{9001};
  const Plan plan = enumerated(request);
  REQUIRE_FALSE(plan.strategies.empty());
  CHECK(plan.strategies.front().cpus_per_node == 2);
}

TEST_CASE("only nodes that have the user's CPUs count") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").cpus = 16;
  Request request = ask_for("a40", 4);
  request.cpus = 32;
  CHECK(strategies_of(request, cluster) == Names{"a40 1x4 plain [gpu-a40]"});
}

TEST_CASE("in a partition of whole nodes limits count all CPUs and GPUs of the nodes") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").exclusive = true;
  test::add_qos(cluster, "few", {{"gres/gpu", 4}});
  test::partition_of(cluster, "gpu-a40").qos = "few";
  const Plan plan = enumerated(ask_for("a40", 1), cluster);
  CHECK(plan.strategies.empty());
  REQUIRE(plan.rejected.size() == 1);
  CHECK(plan.rejected[0].reason ==
        "gpu-a40 allocates whole nodes; gpu-a40 allows 4 GPUs a job (QOS few MaxTRESPerJob gres/gpu=4); this "
        "would be 8");
  // A smaller node keeps the limit, and the others are left out: Slurm may choose them all the same.
  test::add_nodes(cluster, "small", 1, "gpu-a40", {"a40", 4}, 96, 1464, {"a40"});
  const Plan on_small = enumerated(ask_for("a40", 1), cluster);
  REQUIRE(on_small.strategies.size() == 1);
  CHECK(on_small.strategies[0].exclude == std::vector<std::string>{"an33-1", "an33-2"});
  CHECK(amount(on_small.strategies[0].charged, "gres/gpu") == 4);
  CHECK(amount(on_small.strategies[0].charged, "cpu") == 96);
}

TEST_CASE("--exclusive takes whole nodes in any partition") {
  Cluster cluster = test::afton();
  Request request = ask_for("a40", 1);
  request.exclusive = true;
  const Plan plan = enumerated(request, cluster);
  REQUIRE(plan.strategies.size() == 1);
  const Strategy& strategy = plan.strategies[0];
  CHECK(strategy.exclusive);
  CHECK(strategy.all_memory);
  CHECK(strategy.cpus_per_node == 96);
  CHECK(strategy.memory_per_node == test::node_of(cluster, "an33-1").memory);
  CHECK(amount(strategy.charged, "gres/gpu") == 8);
  CHECK(amount(strategy.charged, "mem") == strategy.memory_per_node.count);

  test::add_qos(cluster, "few", {{"gres/gpu", 4}});
  test::partition_of(cluster, "gpu-a40").qos = "few";
  const Plan refused = enumerated(request, cluster);
  CHECK(refused.strategies.empty());
  REQUIRE(refused.rejected.size() == 1);
  CHECK(
      refused.rejected[0].reason ==
      "--exclusive takes whole nodes; gpu-a40 allows 4 GPUs a job (QOS few MaxTRESPerJob gres/gpu=4); this would be 8");
}

TEST_CASE("all memory of a node needs the CPUs that MaxMemPerCPU prescribes for it") {
  Cluster cluster = test::afton();
  Partition& partition = test::partition_of(cluster, "gpu-a40");
  for (Node& node : cluster.nodes) node.memory = {96'000};
  Request request = ask_for("a40", 1);
  request.memory = Mebibytes{0};
  partition.max_memory_per_cpu = Mebibytes{1000};
  const Plan plan = enumerated(request, cluster);
  REQUIRE(plan.strategies.size() == 1);
  CHECK(plan.strategies[0].cpus_per_node == 96);
  partition.max_memory_per_cpu = Mebibytes{500};
  const Plan refused = enumerated(request, cluster);
  CHECK(refused.strategies.empty());
  REQUIRE(refused.rejected.size() == 1);
  CHECK(refused.rejected[0].reason ==
        "gpu-a40: all memory of a node needs 192 CPUs (MaxMemPerCPU 500M); a node has 96");
}

TEST_CASE("a partition of whole nodes whose MaxCPUsPerNode is below the nodes' CPUs takes no job") {
  Cluster cluster = test::afton();
  Partition& partition = test::partition_of(cluster, "gpu-a40");
  partition.exclusive = true;
  partition.max_cpus_per_node = 96;
  CHECK(enumerated(ask_for("a40", 1), cluster).strategies.size() == 1);
  partition.max_cpus_per_node = 95;
  CHECK(enumerated(ask_for("a40", 1), cluster).strategies.empty());
}

TEST_CASE("MinTRESPerJob counts whole nodes, too") {
  Cluster cluster = test::afton();
  test::add_qos(cluster, "many");
  test::qos_of(cluster, "many").min_tres_per_job = {{"gres/gpu", 8}};
  test::partition_of(cluster, "gpu-a40").qos = "many";
  CHECK(enumerated(ask_for("a40", 1), cluster).strategies.empty());
  test::partition_of(cluster, "gpu-a40").exclusive = true;
  CHECK(enumerated(ask_for("a40", 1), cluster).strategies.size() == 1);
}

TEST_CASE("DefMemPerGPU refuses GPUs that no node has the memory for, and MaxCPUsPerSocket CPUs beyond the sockets") {
  Cluster cluster = test::afton();
  Partition& partition = test::partition_of(cluster, "gpu-a40");
  partition.default_memory_per_gpu = test::gb(700);
  CHECK(enumerated(ask_for("a40", 2), cluster).strategies.size() == 1);
  Request request = ask_for("a40", 4);
  request.nodes = 1;
  const Plan plan = enumerated(request, cluster);
  REQUIRE(plan.rejected.size() == 1);
  CHECK(plan.rejected[0].reason.find("(DefMemPerGPU)") != std::string::npos);
  partition.default_memory_per_gpu.reset();
  partition.max_cpus_per_socket = 2;
  for (Node& node : cluster.nodes) node.sockets = 2;
  request.cpus = 4;
  CHECK(enumerated(request, cluster).strategies.size() == 1);
  request.cpus = 5;
  CHECK(enumerated(request, cluster).strategies.empty());
}
