#include "monitor/diagnosis/bad_nodes.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using Names = std::vector<std::string>;

TEST_CASE("a node is blamed once, an empty name never") {
  Diagnosis diagnosis;
  for (const char* node : {"n1", "", "n2", "n1"}) blame(diagnosis, node);
  CHECK(diagnosis.bad_nodes == Names{"n1", "n2"});
}

TEST_CASE("Slurm's line about failed nodes blames each of them") {
  RunEvidence evidence;
  evidence.logs.push_back({.file = "logs/batch.err",
                           .node = "",
                           .lines = {"epoch 1", "slurmstepd: error: Node failure on n[3-4] is over"},
                           .first_line = 1});
  Diagnosis diagnosis;
  blame_failed_nodes(diagnosis, evidence);
  CHECK(diagnosis.bad_nodes == Names{"n3", "n4"});
}

TEST_CASE("srun's message blames the node that it names, any other the node that wrote it") {
  const LogTail log{.file = "logs/n1.err", .node = "n1", .lines = {}, .first_line = 1};
  Finding finding;
  finding.log = &log;
  finding.failure.text = "srun: error: Task launch for StepId=7.0 failed on node n9: Communication connection failure";
  Diagnosis diagnosis;
  blame_node_of(diagnosis, finding);
  CHECK(diagnosis.bad_nodes == Names{"n9"});
  finding.failure.text = "CUDA error: uncorrectable ECC error encountered";
  blame_node_of(diagnosis, finding);
  CHECK(diagnosis.bad_nodes == Names{"n9", "n1"});
}

TEST_CASE("of several nodes none is blamed without a proof") {
  RunEvidence evidence;
  evidence.view.nodes = "n[1-2]";
  Diagnosis diagnosis;
  blame_only_node(diagnosis, evidence);
  CHECK(diagnosis.bad_nodes.empty());
  evidence.view.nodes = "n2";
  blame_only_node(diagnosis, evidence);
  CHECK(diagnosis.bad_nodes == Names{"n2"});
}
