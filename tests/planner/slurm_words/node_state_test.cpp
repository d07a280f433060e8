#include "planner/slurm_words/node_state.h"

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

TEST_CASE("a reboot that brings the node back overrules what it has set itself") {
  const NodeState issued{"DOWN", {"DRAIN", "REBOOT_ISSUED"}, "RESUME"};
  CHECK_FALSE(issued.usable());
  CHECK(issued.may_return());
  CHECK(issued.returns_by_known_time());
  CHECK(issued.reboots_first());
  CHECK(to_text(issued) == "DOWN+DRAIN+REBOOT_ISSUED, then RESUME");
  CHECK_FALSE(NodeState{"DOWN", {"DRAIN", "REBOOT_ISSUED"}, "DOWN"}.may_return());
  CHECK_FALSE(NodeState{"DOWN", {"DRAIN"}, "RESUME"}.may_return());
}

TEST_CASE("an unknown flag has no assumed effect") {
  const NodeState odd{"IDLE", {"CLOUD", "QUARANTINED"}};
  CHECK_FALSE(odd.usable());
  CHECK_FALSE(odd.returns_by_known_time());
  CHECK(odd.may_return());
  CHECK(odd.unlisted_flags() == std::vector<std::string>{"QUARANTINED"});
}
