#include "monitor/jobs/nodes_in_brief.h"

#include <doctest/doctest.h>

namespace rv::monitor {
namespace {

RunView won_on(const std::string& nodes, int of_candidate) {
  RunView view;
  view.winner = 1;
  view.nodes = nodes;
  view.candidates.resize(1);
  view.candidates.front().candidate.nodes = of_candidate;
  return view;
}

TEST_CASE("one node is named without a number") {
  CHECK(nodes_in_brief(won_on("a1", 1)) == "a1");
}

TEST_CASE("further nodes are counted behind the first one") {
  CHECK(nodes_in_brief(won_on("a[1-2]", 2)) == "a1 and 1 more node");
  CHECK(nodes_in_brief(won_on("a[1-3],b7", 4)) == "a1 and 3 more nodes");
}

TEST_CASE("the candidate's number of nodes counts until Slurm reports their names") {
  CHECK(nodes_in_brief(won_on("a1", 4)) == "a1 and 3 more nodes");
}

TEST_CASE("a run without a node has no text") {
  CHECK(nodes_in_brief(RunView{}).empty());
  CHECK(nodes_in_brief(won_on("", 2)).empty());
}

}  // namespace
}  // namespace rv::monitor
