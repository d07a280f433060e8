#include "planner/make_plan.h"

#include <doctest/doctest.h>

#include <chrono>

#include "afton.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::ask;
using Names = std::vector<std::string>;

namespace {

Plan plan_for(const Request& request, const Cluster& cluster = test::afton()) {
  return make_plan(cluster, test::afton_catalogue(), request);
}

std::size_t count(int gpus, Splits splits, const Cluster& cluster = test::afton()) {
  Request request = ask(gpus);
  request.splits = splits;
  return plan_for(request, cluster).strategies.size();
}

Request typed(const std::string& type, int gpus) {
  Request request = ask(gpus);
  request.types = {type};
  return request;
}

}  // namespace

TEST_CASE("the counts of two nodes at most") {
  for (const Splits splits : {Splits::two_nodes, Splits::pairs}) {
    CHECK(count(2, splits) == 7);
    CHECK(count(4, splits) == 12);
    CHECK(count(8, splits) == 9);
  }
}

TEST_CASE("with more nodes the default has finer splits than two nodes") {
  CHECK(count(8, Splits::two_nodes, test::afton(4)) == 9);
  CHECK(count(8, Splits::pairs, test::afton(4)) == 14);  // 4x2 of A6000, A40, both A100s and V100
  CHECK(count(4, Splits::all, test::afton(4)) == 18);    // 4x1 of all but the RTX 3090
}

TEST_CASE("eight GPUs: no H200, V100 only on two nodes") {
  const Plan plan = plan_for(ask(8));
  Names v100;
  for (const std::string& line : test::summary(plan.strategies)) {
    CHECK(line.find("h200") == std::string::npos);
    if (line.starts_with("v100")) v100.push_back(line);
  }
  CHECK(v100 == Names{"v100 2x4 plain [gpu-v100]"});
  CHECK(test::reasons(plan, "h200") ==
        "gpu-h200 allows 4 GPUs a job (QOS h200 MaxTRESPerJob gres/gpu=4); you asked for 8");
}

TEST_CASE("four A100 are those of either size, in two strategies each") {
  Names summary = test::summary(plan_for(typed("a100", 4)).strategies);
  std::sort(summary.begin(), summary.end());
  CHECK(summary == Names{"a100_40 1x4 plain [gpu-a100-40]", "a100_40 2x2 plain [gpu-a100-40]",
                         "a100_80 1x4 plain [gpu-a100-80]", "a100_80 2x2 plain [gpu-a100-80]"});
}

TEST_CASE("two H200 for half an hour are 817 SU") {
  const Plan plan = plan_for(typed("h200", 2));
  REQUIRE(plan.strategies.size() == 1);
  CHECK(*plan.strategies[0].cost_su == doctest::Approx(816.67));
}

TEST_CASE("two GPUs for twelve hours: checkpointed strategies where a window is known") {
  Request request = ask(2, 12h);
  request.windows = {{"a40", 240min}, {"a100_40", 240min}};
  Names checkpointed;
  for (const std::string& line : test::summary(plan_for(request).strategies)) {
    if (line.find("checkpoint") != std::string::npos) checkpointed.push_back(line);
  }
  CHECK(checkpointed == Names{"a40 1x2 checkpoint [gpu-a40]", "a100_40 1x2 checkpoint [gpu-a100-40]"});
  CHECK(plan_for(request).strategies.size() == 9);
}

TEST_CASE("free now by price, then the rest by price") {
  Cluster cluster = test::afton();
  for (const char* name : {"ba33-1", "ba33-2"}) test::node_of(cluster, name).gpus[0].used = 4;
  Request request = ask(1);
  request.vram = test::gb(10);
  const Names lines = test::summary(plan_for(request, cluster).strategies);
  CHECK(lines == Names{"1g.10gb 1x1 mig [gpu-mig]", "rtx3090 1x1 interactive [interactive-rtx3090]",
                       "a6000 1x1 plain [gpu-a6000]", "a40 1x1 plain [gpu-a40]", "a100_40 1x1 plain [gpu-a100-40]",
                       "a100_80 1x1 plain [gpu-a100-80]", "h200 1x1 plain [gpu-h200]", "v100 1x1 plain [gpu-v100]"});
}

TEST_CASE("a plan works without rates") {
  const Plan plan = make_plan(test::afton(), {}, ask(4));
  CHECK(plan.strategies.size() == 12);
  for (const Strategy& one : plan.strategies) CHECK_FALSE(one.cost_su.has_value());
}

TEST_CASE("a maintenance in the way is not a rejection") {
  Cluster cluster = test::afton();
  Reservation maintenance;
  maintenance.start = test::noon + 10min;
  maintenance.end = test::noon + 5h;
  maintenance.flags = {"MAINT"};
  for (const Node& node : cluster.nodes) maintenance.nodes.push_back(node.name);
  cluster.reservations = {maintenance};
  const Plan plan = plan_for(ask(2), cluster);
  CHECK(plan.strategies.size() == 7);
  CHECK(plan.strategies[0].wait.basis == "after maintenance");
  CHECK_FALSE(plan.strategies[0].wait.p50.has_value());
}

TEST_CASE("a partition that adds no node is not in the request") {
  Cluster cluster = test::afton();
  test::add_partition(cluster, "gpu-few");
  test::node_of(cluster, "an33-2").partitions.push_back("gpu-few");
  CHECK(test::summary(plan_for(typed("a40", 2), cluster).strategies) == Names{"a40 1x2 plain [gpu-a40]"});
  test::add_nodes(cluster, "x", 1, "gpu-few", {"a40", 8}, 96, 1464, {"a40"});
  CHECK(test::summary(plan_for(typed("a40", 2), cluster).strategies) == Names{"a40 1x2 plain [gpu-a40,gpu-few]"});
}

TEST_CASE("the same values give the same plan") {
  const Request request = ask(4);
  CHECK(test::summary(plan_for(request).strategies) == test::summary(plan_for(request).strategies));
}

TEST_CASE("five thousand nodes and a hundred thousand jobs") {
  Cluster cluster = test::afton(700);
  test::add_partition(cluster, "everything");
  for (Node& node : cluster.nodes) node.partitions.push_back("everything");
  QueuedJob job;
  job.user = "someone";
  job.qos = "normal";
  job.partitions = {"gpu-a40"};
  job.requested = {{"cpu", 8}, {"gres/gpu", 1}};
  for (int i = 0; i < 100'000; ++i) {
    job.state = i % 10 == 0 ? "RUNNING" : "PENDING";
    cluster.jobs.push_back(job);
  }
  const auto begin = std::chrono::steady_clock::now();
  const Plan plan = plan_for(ask(8), cluster);
  const auto took = std::chrono::steady_clock::now() - begin;
  MESSAGE(cluster.nodes.size() << " nodes planned in "
                               << std::chrono::duration_cast<std::chrono::milliseconds>(took).count() << " ms");
  CHECK(plan.strategies.size() > 10);
  CHECK(took < 10s);  // tens of milliseconds on an idle machine, two seconds with sanitizers on a busy one
}

TEST_CASE("a wait that depends on hidden jobs is unknown, not long") {
  Cluster cluster = test::afton();
  for (Node& node : cluster.nodes) {
    for (GpuPool& pool : node.gpus) pool.used = pool.total;
  }
  ForecastInputs inputs;
  inputs.trials = 4;
  const Plan plan = make_plan(cluster, test::afton_catalogue(), typed("a40", 2), inputs);
  REQUIRE_FALSE(plan.strategies.empty());
  CHECK_FALSE(plan.strategies[0].wait.p50);
  CHECK(plan.strategies[0].wait.basis == unseen_basis);
}
