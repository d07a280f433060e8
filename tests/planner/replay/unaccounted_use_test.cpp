#include "planner/replay/model/unaccounted_use.h"

#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv::planner;

namespace {

/// One node of 8 CPUs that reports 6 as used, and a job that holds 4 of them for another 100 s.
struct OneNode {
  Cluster cluster = test::queue_cluster(1, 1);
  ReplayModel model;

  OneNode() {
    model.nodes.resize(1);
    model.nodes[0].total.cpus = 8;
    model.nodes[0].free.cpus = 2;
    ReplayJob job;
    job.limit = 150;
    job.elapsed = 50;
    model.jobs.push_back(job);
    JobPart held;
    held.part.cpus = 4;
    model.running.push_back({0, -1, -1, {held}});
  }
};

}  // namespace

TEST_CASE("a rest that no job holds goes to the job that stays longest") {
  OneNode node;
  CHECK(attribute_unaccounted_use(node.cluster, node.model).empty());
  CHECK(node.model.running[0].parts[0].part.cpus == 6);
  CHECK(node.model.nodes_of_unseen == 0);
  // Nothing is left the second time.
  CHECK(attribute_unaccounted_use(node.cluster, node.model).empty());
  CHECK(node.model.running[0].parts[0].part.cpus == 6);
}

TEST_CASE("where the queue hides jobs, the rest may be theirs") {
  OneNode node;
  node.cluster.unanswered[jobs_of_others] = "PrivateData";
  CHECK(attribute_unaccounted_use(node.cluster, node.model).empty());
  CHECK(node.model.running[0].parts[0].part.cpus == 4);
  CHECK(node.model.nodes_of_unseen == 1);
}

TEST_CASE("a node that completes, boots or reboots gives its rest back by a known time") {
  OneNode node;
  node.cluster.controller.resume_timeout = std::chrono::seconds(60);
  node.cluster.nodes[0].state = {"DOWN", {"DRAIN", "REBOOT_ISSUED"}, "RESUME"};
  auto parts = attribute_unaccounted_use(node.cluster, node.model);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].part.cpus == 2);
  CHECK(parts[0].span == 160);
  node.cluster.nodes[0].state = {"MIXED", {"CLOUD", "POWERING_UP"}};
  parts = attribute_unaccounted_use(node.cluster, node.model);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].span == 60);
  node.model.running.clear();
  node.cluster.nodes[0].state = {"MIXED", {"COMPLETING"}};
  parts = attribute_unaccounted_use(node.cluster, node.model);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].part.cpus == 6);
  CHECK(parts[0].span == 10);
}
