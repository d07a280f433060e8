// node_states.yaml: what Slurm prints of nodes, and when a job may start there.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <string>

#include "base/text.h"
#include "slurm/parse/parse_cluster.h"
#include "tests/source_tree.h"

namespace rv {
namespace {

using planner::NodeStart;

const std::map<NodeStart, std::string> names{{NodeStart::now, "now"},
                                             {NodeStart::planned, "planned"},
                                             {NodeStart::reserved, "reserved"},
                                             {NodeStart::cleaning, "cleaning"},
                                             {NodeStart::boot, "boot"},
                                             {NodeStart::reboot, "reboot"},
                                             {NodeStart::unlisted, "unlisted"},
                                             {NodeStart::maintenance, "maintenance"},
                                             {NodeStart::some_time, "some_time"},
                                             {NodeStart::never, "never"}};

}  // namespace

TEST_CASE("states of nodes: when a job may start, and which words are not known") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/node_states.yaml"))["rows"]) {
    auto record = "NodeName=n1 State=" + row["state"].as<std::string>() + " ThreadsPerCore=1";
    if (row["next"]) record += " NextState=" + row["next"].as<std::string>();
    const auto nodes = slurm::parse_nodes(record + " Partitions=gpu\n");
    REQUIRE(nodes.size() == 1);
    CAPTURE(record);
    CHECK(names.at(nodes[0].state.start()) == row["start"].as<std::string>());
    CHECK(listed(nodes[0].state.unlisted_flags()) == (row["unlisted"] ? row["unlisted"].as<std::string>() : ""));
  }
}

}  // namespace rv
