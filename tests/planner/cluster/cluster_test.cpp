#include "planner/cluster/cluster.h"

#include <doctest/doctest.h>

using namespace rv::planner;

TEST_CASE("nodes in service are usable") {
  for (const char* base : {"IDLE", "MIXED", "ALLOCATED"}) CHECK(NodeState{base, {}}.usable());
  CHECK(NodeState{"IDLE", {"PLANNED"}}.usable());
  CHECK(NodeState{"MIXED", {"CLOUD", "POWERED_DOWN"}}.usable());
  CHECK(NodeState{"IDLE", {"RESERVED"}}.usable());
}

TEST_CASE("nodes out of service, in maintenance, unheard of or in an unknown state are not") {
  for (const char* base : {"DOWN", "ERROR", "FUTURE", "SOMETHING_NEW", ""}) {
    CHECK_FALSE(NodeState{base, {}}.usable());
    CHECK_FALSE(NodeState{base, {}}.may_return());
  }
  for (const char* flag : {"DRAIN", "FAIL", "INVALID_REG"}) {
    CHECK_FALSE(NodeState{"IDLE", {flag}}.usable());
    CHECK_FALSE(NodeState{"MIXED", {"PLANNED", flag}}.may_return());
  }
}

TEST_CASE("a node that has not reported since the controller was started will") {
  CHECK_FALSE(NodeState{"UNKNOWN", {}}.usable());
  CHECK(NodeState{"UNKNOWN", {}}.may_return());
  CHECK_FALSE(NodeState{"UNKNOWN", {"DRAIN"}}.may_return());
}

TEST_CASE("maintenance and a missed heartbeat end by themselves") {
  for (const char* flag : {"MAINTENANCE", "NOT_RESPONDING"}) {
    CHECK_FALSE(NodeState{"IDLE", {flag}}.usable());
    CHECK(NodeState{"IDLE", {flag}}.may_return());
    CHECK_FALSE(NodeState{"DOWN", {flag}}.may_return());
  }
}

TEST_CASE("nodes that are off, and those that boot, take no job at once") {
  for (const char* flag : {"POWERED_DOWN", "POWERING_DOWN", "POWERING_UP"}) {
    CHECK(NodeState{"IDLE", {"CLOUD", flag}}.boots_first());
  }
  CHECK_FALSE(NodeState{"IDLE", {"CLOUD"}}.boots_first());
}

TEST_CASE("nodes that a partition counts and nobody shows") {
  Cluster cluster;
  for (const char* name : {"gpu", "cloud"}) {
    Partition partition;
    partition.name = name;
    partition.total_nodes = 2;
    cluster.partitions.push_back(partition);
  }
  for (const char* name : {"n1", "n2", "sky1"}) {
    Node node;
    node.name = name;
    node.partitions = {name[0] == 'n' ? "gpu" : "cloud"};
    cluster.nodes.push_back(node);
  }
  CHECK(cluster.hidden_nodes() == std::map<std::string, int>{{"cloud", 1}});
  CHECK(cluster.queue_known());
  cluster.unanswered[jobs_of_others] = "PrivateData";
  CHECK_FALSE(cluster.queue_known());
}

TEST_CASE("things are found by name") {
  rv::planner::Cluster cluster;
  cluster.nodes.resize(2);
  cluster.nodes[1].name = "n2";
  cluster.partitions.resize(1);
  cluster.partitions[0].name = "gpu";
  cluster.qos.resize(1);
  cluster.qos[0].name = "normal";
  CHECK(cluster.find_node("n2") == &cluster.nodes[1]);
  CHECK(cluster.find_node("n3") == nullptr);
  CHECK(cluster.find_partition("gpu") == &cluster.partitions[0]);
  CHECK(cluster.find_partition("cpu") == nullptr);
  CHECK(cluster.find_qos("normal") == &cluster.qos[0]);
  CHECK(cluster.find_qos("other") == nullptr);
}
