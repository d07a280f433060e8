#include "planner/strategies/known_names.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv::planner;

namespace {

Cluster two_nodes() {
  Cluster cluster;
  cluster.partitions.resize(1);
  cluster.partitions[0].name = "gpu";
  cluster.partitions[0].total_nodes = 2;
  cluster.nodes.resize(2);
  for (Node& node : cluster.nodes) node.partitions = {"gpu"};
  cluster.nodes[0].features = {"ib"};
  cluster.nodes[1].features = {"nvme"};
  cluster.nodes[1].other_features = {"numa4"};
  cluster.controller.licenses = {{{"solver", 2}}};
  return cluster;
}

/// "trouble | advice", or nothing.
std::string refusal(const Cluster& cluster, const Request& request) {
  try {
    check_names(cluster, request);
  } catch (const rv::Error& error) {
    CHECK(error.code() == rv::ExitCode::usage);
    return std::string(error.what()) + " | " + error.advice();
  }
  return {};
}

std::string refusal_of_constraint(const char* constraint, const Cluster& cluster = two_nodes()) {
  Request request;
  request.constraint = constraint;
  return refusal(cluster, request);
}

std::string refusal_of_licences(const char* licences, const Cluster& cluster = two_nodes()) {
  Request request;
  request.sbatch["licenses"] = licences;
  return refusal(cluster, request);
}

}  // namespace

TEST_CASE("every feature of a constraint is one of some node") {
  for (const char* known : {"", "ib", "ib&nvme", "[ib|nvme]", "numa4", "ib*2"}) {
    CAPTURE(known);
    CHECK(refusal_of_constraint(known).empty());
  }
  CHECK(refusal_of_constraint("ib|nvm") ==
        "--constraint: no node of this cluster has the feature \"nvm\" | did you mean nvme? it has ib, nvme, numa4");
  CHECK(refusal_of_constraint("!ib").find("\"!ib\"") != std::string::npos);
}

TEST_CASE("a node that Slurm does not show may have the feature") {
  Cluster cluster = two_nodes();
  cluster.partitions[0].total_nodes = 3;
  CHECK(refusal_of_constraint("cloud", cluster).empty());
}

TEST_CASE("licences are this cluster's, or another server's") {
  for (const char* known : {"solver", "solver:2", "solver:1,matlab@lic1:4", "matlab@lic1"}) {
    CAPTURE(known);
    CHECK(refusal_of_licences(known).empty());
  }
  CHECK(refusal_of_licences("solver:3") == "--licenses: you asked for 3 of solver | this cluster has 2");
  CHECK(refusal_of_licences("slover:1") ==
        "--licenses: this cluster has no licences \"slover\" | did you mean solver? it has solver");
  Cluster unheard = two_nodes();
  unheard.controller.licenses.reset();
  CHECK(refusal_of_licences("solver:3", unheard).empty());
}
