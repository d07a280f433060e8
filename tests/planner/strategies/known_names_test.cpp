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

Cluster with_accounting() {
  Cluster cluster = two_nodes();
  cluster.nodes[0].name = "n1";
  cluster.nodes[1].name = "n2";
  cluster.controller.enforced = {"associations"};
  cluster.associations.resize(2);
  cluster.associations[0].account = DatabaseName("lab");
  cluster.associations[1].account = DatabaseName("Other");
  cluster.qos.resize(1);
  cluster.qos[0].name = DatabaseName("normal");
  return cluster;
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

TEST_CASE("an account, a QOS and nodes are refused as a partition is") {
  const Cluster cluster = with_accounting();
  Request request;
  request.account = DatabaseName("lap");
  CHECK(refusal(cluster, request) ==
        "--account: you have no account \"lap\" | did you mean lab? your accounts: lab, Other");
  request.account = DatabaseName("OTHER");
  CHECK(refusal(cluster, request).empty());
  request = {};
  request.qos = DatabaseName("norma");
  CHECK(refusal(cluster, request) == "--qos: this cluster has no QOS \"norma\" | did you mean normal? it has normal");
  request = {};
  request.nodelist = {"n1", "elsewhere"};
  CHECK(refusal(cluster, request) == "--nodelist: this cluster has no node \"elsewhere\" | sinfo -N lists the nodes");
  request = {};
  request.exclude = {"n3"};
  CHECK(refusal(cluster, request).starts_with("--exclude: this cluster has no node \"n3\" | did you mean n1"));
}

TEST_CASE("a name that is unknown, unenforced or hidden may exist") {
  Cluster cluster = with_accounting();
  Request request;
  request.account = DatabaseName("nosuch");
  request.qos = DatabaseName("nosuch");
  request.nodelist = {"n9"};
  cluster.controller.enforced = {""};
  cluster.unanswered["qos"] = "no answer";
  cluster.partitions[0].total_nodes = 3;
  CHECK(refusal(cluster, request).empty());
  cluster.controller.enforced = {"associations"};
  cluster.associations.clear();
  CHECK(refusal(cluster, request).empty());
}
