#include "planner/strategies/enumerate.h"

#include <doctest/doctest.h>

#include "base/error.h"
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

TEST_CASE("a strategy is complete") {
  const Plan plan = enumerated(ask_for("a40", 2, 2h));
  REQUIRE(plan.strategies.size() == 1);
  const Strategy& strategy = plan.strategies[0];
  CHECK(strategy.gpu.name == "a40");
  CHECK(strategy.gres_type == "a40");
  CHECK(strategy.nodes == 1);
  CHECK(strategy.gpus_per_node == 2);
  CHECK(strategy.partitions == Names{"gpu-a40"});
  CHECK(strategy.time_limit == 2h);
  CHECK(strategy.work_time == 2h);
  CHECK(strategy.segments == 1);
  CHECK(strategy.cpus_per_node == 16);
  CHECK(strategy.memory_per_node == test::gb(329));
  CHECK(strategy.constraint.empty());
  CHECK(strategy.exclude.empty());
  CHECK(strategy.wait.basis == "unknown");
  CHECK_FALSE(strategy.cost_su.has_value());
  CHECK(plan.rejected.empty());
}

TEST_CASE("options only for Slurm are in every strategy, and a federation's jobs stay on their cluster") {
  using Options = std::map<std::string, std::string>;
  Request request = ask_for("a40", 4);
  CHECK(enumerated(request).strategies.at(0).sbatch.empty());
  request.sbatch = {{"nice", "100"}};
  request.windows = {{"*", 10min}};
  Cluster cluster = test::afton();
  cluster.controller.cluster_name = "west";
  for (const auto& strategy : enumerated(request, cluster).strategies) CHECK(strategy.sbatch == request.sbatch);
  cluster.controller.federation = "coast";
  const auto plan = enumerated(request, cluster);
  REQUIRE(plan.strategies.size() > 2);
  for (const auto& strategy : plan.strategies) CHECK(strategy.sbatch == Options{{"clusters", "west"}, {"nice", "100"}});
}

TEST_CASE("splits are limited by the number of nodes, node size and MaxNodes") {
  Request request = ask_for("v100", 8);
  CHECK(strategies_of(request) == Names{"v100 2x4 plain [gpu-v100]"});
  CHECK(enumerated(request).rejected.empty());  // eight on one node are impossible, which the offer makes idle news
  Cluster large = test::afton(4);
  CHECK(strategies_of(request, large) == Names{"v100 2x4 plain [gpu-v100]", "v100 4x2 plain [gpu-v100]"});
  test::partition_of(large, "gpu-v100").max_nodes = 3;
  CHECK(strategies_of(request, large) == Names{"v100 2x4 plain [gpu-v100]"});
  test::partition_of(large, "gpu-v100").max_nodes = 1;
  CHECK(reasons(enumerated(request, large), "v100") == "gpu-v100 allows 1 node a job (MaxNodes); this would be 2");
  request.gpus = 16;
  CHECK(reasons(enumerated(request), "v100") ==
        "gpu-v100 has 2 nodes that can provide 4 GPUs each; 4 nodes are needed");
  request.gpus = 7;
  CHECK(reasons(enumerated(request), "v100") ==
        "nodes of gpu-v100 have 4 GPUs at most; the request needs 7 on one node");
}

TEST_CASE("a drained node gives no split, and a drained model has a reason") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").state = {"IDLE", {"DRAIN"}};
  test::node_of(cluster, "an33-1").reason = "bad fan";
  CHECK(strategies_of(ask_for("a40", 4), cluster) == Names{"a40 1x4 plain [gpu-a40]"});
  test::node_of(cluster, "an33-2").state = {"DOWN", {}};
  const Plan plan = enumerated(ask_for("a40", 4), cluster);
  CHECK(plan.strategies.empty());
  CHECK(reasons(plan, "a40") == "all 2 nodes in gpu-a40 are out of service (an33-1 is IDLE+DRAIN: bad fan)");
  auto other = ask_for("a40", 4);
  other.exclude = {"an33-2"};
  CHECK(reasons(enumerated(other, cluster), "a40") ==
        "the only node that the request leaves in gpu-a40 is out of service (an33-1 is IDLE+DRAIN: bad fan)");
}

TEST_CASE("nodes in maintenance still count, since they come back") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").state.flags = {"MAINTENANCE"};
  CHECK(strategies_of(ask_for("a40", 4), cluster).size() == 2);
}

TEST_CASE("nodes that reboot and come back still count, those that stay down afterwards don't") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").state = {"DOWN", {"DRAIN", "REBOOT_ISSUED"}, "RESUME"};
  test::node_of(cluster, "an33-2").state = {"MIXED", {"DRAIN", "REBOOT_REQUESTED"}, "RESUME"};
  CHECK(strategies_of(ask_for("a40", 4), cluster).size() == 2);
  for (const char* name : {"an33-1", "an33-2"}) test::node_of(cluster, name).state.next = "DOWN";
  const Plan plan = enumerated(ask_for("a40", 4), cluster);
  CHECK(plan.strategies.empty());
  CHECK(reasons(plan, "a40") ==
        "all 2 nodes in gpu-a40 are out of service (an33-2 is MIXED+DRAIN+REBOOT_REQUESTED, then DOWN)");
}

TEST_CASE("two GPUs are split only on request") {
  Request request = ask_for("a40", 2);
  CHECK(strategies_of(request) == Names{"a40 1x2 plain [gpu-a40]"});
  request.splits = Splits::all;
  CHECK(strategies_of(request) == Names{"a40 1x2 plain [gpu-a40]", "a40 2x1 plain [gpu-a40]"});
  request = ask_for("a40", 2);
  request.nodes = 2;
  CHECK(strategies_of(request) == Names{"a40 2x1 plain [gpu-a40]"});
}

TEST_CASE("MIG is for one GPU, with --mig or a --vram that the slice has") {
  const Names slice{"1g.10gb 1x1 mig [gpu-mig]"};
  CHECK(reasons(enumerated(ask(1)), "1g.10gb") ==
        "MIG slices are used only with --mig, their own --type or a --vram that fits them");
  CHECK(enumerated(ask(1)).strategies.size() == 7);
  Request request = ask(1);
  request.mig = true;
  CHECK(strategies_of(request) == slice);
  CHECK(enumerated(request).rejected.empty());
  request = ask(1);
  request.vram = test::gb(10);
  CHECK(strategies_of(request).size() == 8);
  request.vram = test::gb(11);
  CHECK(strategies_of(request).size() == 7);
  request = ask(2);
  request.vram = test::gb(10);
  CHECK(strategies_of(request).size() == 7);
  CHECK(strategies_of(ask_for("1g.10gb", 1)) == slice);
  CHECK(strategies_of(ask_for("mig", 1)) == slice);
  CHECK(reasons(enumerated(ask_for("1g.10gb", 2)), "1g.10gb") == "a job can use one MIG slice; you asked for 2");
}

TEST_CASE("with --mig only slices are found") {
  Request request = ask(1);
  request.mig = true;
  Cluster cluster = test::afton();
  std::erase_if(cluster.nodes, [](const Node& node) { return node.name == "an37-1"; });
  CHECK(enumerated(request, cluster).strategies.empty());
  CHECK_FALSE(reasons(enumerated(request, cluster), "mig").empty());
  request.types = {"a40"};
  CHECK(reasons(enumerated(request), "a40") == "it is not a MIG slice, and --mig requests one");
  request.gpus = 2;
  CHECK_THROWS_AS(enumerated(request), rv::Error);
}

TEST_CASE("interactive partitions are a separate kind") {
  CHECK(strategies_of(ask_for("3090", 2)) == Names{"rtx3090 1x2 interactive [interactive-rtx3090]"});
}

TEST_CASE("--vram rejects smaller and unknown GPUs, with the reason") {
  Request request = ask(1);
  request.vram = test::gb(80);
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.models[4].vram.reset();
  const Plan plan = enumerate(test::afton(), catalogue, request);
  CHECK(test::summary(plan.strategies) == Names{"a100_80 1x1 plain [gpu-a100-80]", "h200 1x1 plain [gpu-h200]"});
  CHECK(reasons(plan, "a40") == "has 48G VRAM; you asked for 80G");
  CHECK(reasons(plan, "v100").starts_with("VRAM unknown"));
}

TEST_CASE("equal strategies in two partitions are one job") {
  Cluster cluster = test::afton();
  test::add_partition(cluster, "gpu-extra");
  test::add_nodes(cluster, "x", 2, "gpu-extra", {"a40", 8}, 96, 1464, {"a40"});
  CHECK(strategies_of(ask_for("a40", 2), cluster) == Names{"a40 1x2 plain [gpu-a40,gpu-extra]"});
  test::partition_of(cluster, "gpu-extra").max_time = 1h;
  CHECK(strategies_of(ask_for("a40", 2, 2h), cluster) == Names{"a40 1x2 plain [gpu-a40]"});
  test::node_of(cluster, "x-1").cpus = 48;
  CHECK(strategies_of(ask_for("a40", 2), cluster).size() == 2);
}

TEST_CASE("an unknown partition is a usage error that names its neighbours") {
  Request request = ask(1);
  request.partitions = {"gpu-a400"};
  try {
    enumerated(request);
    FAIL("no error");
  } catch (const rv::Error& error) {
    CHECK(error.code() == rv::ExitCode::usage);
    CHECK(error.advice().find("did you mean gpu-a40") != std::string::npos);
  }
}

TEST_CASE("only the requested partitions are used, and a type elsewhere names its partitions") {
  Request request = ask(1);
  request.partitions = {"gpu-a40", "gpu-v100"};
  CHECK(strategies_of(request) == Names{"a40 1x1 plain [gpu-a40]", "v100 1x1 plain [gpu-v100]"});
  request.types = {"h200"};
  CHECK(reasons(enumerated(request), "h200") == "not in gpu-a40, gpu-v100 (it is in gpu-h200)");
  request = ask(1);
  request.partitions = {"standard"};
  CHECK(reasons(enumerated(request), "any").find("no GPUs in standard") != std::string::npos);
}

TEST_CASE("an empty plan has a reason") {
  Cluster none = test::afton();
  for (Node& node : none.nodes) node.gpus.clear();
  CHECK(reasons(enumerated(ask(1), none), "any") == "this cluster has no GPU nodes");
  Cluster hidden = test::afton();
  for (Node& node : hidden.nodes) node.partitions.clear();
  CHECK_FALSE(enumerated(ask(1), hidden).rejected.empty());
  CHECK(reasons(enumerated(ask_for("a40", 1), hidden), "a40").find("not in any partition") != std::string::npos);
}

TEST_CASE("account, QOS and closed partitions reach the strategy or the rejection") {
  Cluster cluster = test::afton();
  Association other = cluster.associations[0];
  other.account = "other";
  other.is_default_account = false;
  cluster.associations.push_back(other);
  test::partition_of(cluster, "gpu-a40").allow_accounts = {"other"};
  test::partition_of(cluster, "gpu-v100").up = false;
  test::partition_of(cluster, "gpu-v100").state = "DOWN";
  const Plan plan = enumerated(ask(1), cluster);
  CHECK(reasons(plan, "v100") == "partition gpu-v100 is DOWN");
  for (const Strategy& one : plan.strategies) {
    CHECK(one.account == DatabaseName(one.gpu.name == "a40" ? "other" : ""));
    CHECK(one.qos.empty());
  }
  Request request = ask_for("h200", 1);
  request.qos = "normal";
  CHECK(enumerated(request, cluster).strategies.at(0).qos == DatabaseName("normal"));
}

TEST_CASE("each reason is listed once") {
  Cluster cluster = test::afton();
  test::add_partition(cluster, "gpu-extra");
  test::node_of(cluster, "an33-2").partitions = {"gpu-a40", "gpu-extra"};
  Request request = ask(1);
  request.vram = test::gb(80);
  CHECK(reasons(enumerated(request, cluster), "a40") == "has 48G VRAM; you asked for 80G");
}

TEST_CASE("the resources of hidden nodes are unknown") {
  Cluster cluster = test::afton();
  test::add_partition(cluster, "cloud").total_nodes = 2;
  std::erase_if(cluster.nodes, [](const Node& node) { return node.partitions == Names{"gpu-a40"}; });
  Request request = ask_for("a40", 1);
  const auto plan = enumerate(cluster, test::afton_catalogue(), request);
  REQUIRE(plan.rejected.size() == 1);
  CHECK(plan.rejected[0].reason.ends_with(
      "; unknown: 2 nodes of cloud, which Slurm does not show while they are powered off"));
  request = ask(1);
  request.partitions = {"cloud"};
  const auto named = enumerate(cluster, test::afton_catalogue(), request);
  REQUIRE(named.rejected.size() == 1);
  CHECK(named.rejected[0].reason.find("unknown: 2 nodes of cloud") != std::string::npos);
}

TEST_CASE("nodes under different top switches, or under none, make no plan") {
  Cluster cluster = test::afton();
  for (Node& node : cluster.nodes) node.top_switch = node.name.ends_with("1") ? "west" : "east";
  Request request = ask_for("a40", 2);
  request.nodes = 2;
  const Plan plan = enumerated(request, cluster);
  CHECK(plan.strategies.empty());
  REQUIRE(plan.rejected.size() == 1);
  CHECK(plan.rejected[0].reason == "no 2 nodes of gpu-a40 with this GPU are under one switch");
  for (Node& node : cluster.nodes) node.top_switch = node.name;
  cluster.controller.version = "22.05.8";
  CHECK(enumerated(ask_for("a40", 1), cluster).strategies.empty());
  cluster.controller.version = "26.05.3";
  CHECK(enumerated(ask_for("a40", 1), cluster).strategies.size() == 1);
}
