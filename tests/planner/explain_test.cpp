#include "planner/explain.h"

#include <doctest/doctest.h>

#include "planner/make_plan.h"
#include "queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

/// The A100 are taken for long, with a window before somebody's job on the first node; the A40 are free.
Cluster cluster_with_window() {
  Cluster cluster = test::afton();
  const auto add = [&](const std::string& id, const std::string& node, int gpus, std::chrono::seconds limit) {
    QueuedJob job;
    job.id = id;
    job.user = "other";
    job.state = "RUNNING";
    job.partitions = {"gpu-a100-80"};
    job.cpus = gpus;
    job.requested = {{"cpu", gpus}, {"gres/gpu", gpus}};
    job.time_limit = limit;
    job.start = job.submitted = test::noon;
    job.node_names = {node};
    test::node_of(cluster, node).gpus[0].used = gpus;
    test::node_of(cluster, node).cpus_used = gpus;
    cluster.jobs.push_back(job);
  };
  add("1", "an36-1", 4, 3h);
  add("2", "an36-2", 8, 40h);
  cluster.jobs.push_back(cluster.jobs[0]);
  QueuedJob& waiting = cluster.jobs.back();
  waiting.id = "3";
  waiting.state = "PENDING";
  waiting.priority = 1000;
  waiting.start.reset();
  waiting.node_names.clear();
  waiting.cpus = 8;
  waiting.requested = {{"cpu", 8}, {"gres/gpu", 8}};
  return cluster;
}

}  // namespace

TEST_CASE("why the first is first, and what would start sooner") {
  Request request = test::ask(4, 4h);
  request.types = {"a100_80"};
  request.single_node = true;
  ForecastInputs inputs;
  inputs.priority = 1;
  inputs.priority_source = "the test";
  const Cluster cluster = cluster_with_window();
  const Plan plan = make_plan(cluster, test::afton_catalogue(), request, inputs);
  const Explanation told = explain(plan, cluster, test::afton_catalogue(), request, inputs);
  REQUIRE(told.why.size() == 1);
  CHECK(told.why[0].find("is first: it starts") != std::string::npos);
  REQUIRE(told.sooner.size() >= 2);
  CHECK(told.sooner[0] ==
        "ask 2h 50m instead of 4h of 4× A100 80 GB on gpu-a100-80: so much would start soon, before the jobs ahead");
  CHECK(std::any_of(told.sooner.begin(), told.sooner.end(), [](const std::string& one) {
    return one == "a40 instead of A100 80 GB: 4× a40 on gpu-a40 starts at once";
  }));
}

TEST_CASE("the cheapest is explained by its price, and what is free needs no advice") {
  ForecastInputs inputs;
  inputs.goal.aim = Aim::cheapest;
  const Cluster cluster = test::afton();
  const Request request = test::ask(4);
  const Plan plan = make_plan(cluster, test::afton_catalogue(), request, inputs);
  const Explanation told = explain(plan, cluster, test::afton_catalogue(), request, inputs);
  REQUIRE(told.why.size() == 4);
  CHECK(told.why[0] == "4× v100 on gpu-v100 is first: nothing costs less than its 42 SU (free now)");
  CHECK(told.why[1] == "4× a6000 on gpu-a6000 starts at once, 244 SU more");
  CHECK(told.sooner.empty());
}
