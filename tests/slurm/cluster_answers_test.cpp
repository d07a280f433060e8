#include "slurm/cluster_answers.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;
using namespace rv::slurm;

namespace {

os::Result answer(const std::string& out) {
  return {.exit_code = 0, .timed_out = false, .out = out, .err = "", .wall = {}};
}

os::Result silence() {
  return {.exit_code = 1, .timed_out = false, .out = "", .err = "error: Socket timed out", .wall = {}};
}

/// Of a site that shows this user no nodes and no partitions, and answers nothing else.
std::vector<os::Result> of_closed_site() {
  std::vector<os::Result> answers(ClusterQuery::count, silence());
  answers[ClusterQuery::nodes] = answer("No nodes in the system\n");
  answers[ClusterQuery::partitions] = answer("No partitions in the system\n");
  return answers;
}

}  // namespace

TEST_CASE("a site that shows no nodes is an answer, an empty text is not") {
  planner::Cluster cluster;
  auto answers = of_closed_site();
  take_answers(cluster, answers);
  CHECK(cluster.nodes.empty());
  answers[ClusterQuery::nodes] = answer("");
  CHECK_THROWS_AS(take_answers(cluster, answers), Error);
}

TEST_CASE("what got no answer is unknown, not empty") {
  planner::Cluster cluster;
  take_answers(cluster, of_closed_site());
  for (const char* what : {"controller", "reservations", "jobs"}) CHECK(cluster.unanswered.contains(what));
  CHECK_FALSE(cluster.queue_known());
  take_topology(cluster, silence());
  take_licenses(cluster, silence());
  CHECK(cluster.unanswered.contains("topology"));
  CHECK(cluster.unanswered.contains("licenses"));
  CHECK_FALSE(take_limits(cluster, silence()));
  CHECK_FALSE(take_controllers_limits(cluster, silence()));
}

TEST_CASE(
    "without the controller's use of limits the tree of accounts is dropped: it would pass for one without limits") {
  planner::Cluster cluster;
  cluster.accounts.resize(1);
  take_use(cluster, silence());
  CHECK(cluster.accounts.empty());
  CHECK(cluster.unanswered.contains("use of limits in minutes"));
}
