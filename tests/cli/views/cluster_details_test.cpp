#include "cli/views/cluster_details.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/planner/queue.h"

namespace rv::cli {

namespace {

using namespace planner;
using namespace std::chrono_literals;

/// Two nodes of four V100 and one of four A40 that is drained.
Cluster mixed() {
  Cluster cluster = test::queue_cluster(2, 4);
  test::add_nodes(cluster, "s", 1, "gpu", {"a40", 4}, 32, 256, {});
  cluster.nodes.back().state = {.base = "IDLE", .flags = {"DRAIN"}};
  cluster.nodes.back().reason = "bad fan";
  test::running(cluster, "1", {"n0"}, 3, 4h).user = "anna";
  test::running(cluster, "2", {"n1"}, 1, 4h).user = "ben";
  test::pending(cluster, "3", 1, 2, 1h).user = "ben";
  test::pending(cluster, "4_[1-3]", 1, 1, 1h).user = "cleo";
  cluster.jobs.back().array_tasks = 3;
  return cluster;
}

std::string text_of(const std::vector<UserGpus>& users) {
  std::string text;
  for (const auto& user : users) {
    text +=
        fmt::format("{} {}/{} {}/{};", user.user.text(), user.held, user.running_jobs, user.asked, user.waiting_jobs);
  }
  return text;
}

}  // namespace

TEST_CASE("nodes show free GPUs by type, and none if no job can start there") {
  const auto catalogue = test::afton_catalogue();
  const Cluster cluster = mixed();
  const auto all = node_gpus(cluster, catalogue, {});
  REQUIRE(all.size() == 3);
  CHECK(all[0].gpu_type == "a40");
  CHECK(all[0].total == 4);
  CHECK(all[0].free == 0);
  CHECK(all[1].free == 1);
  CHECK(all[2].free == 3);
  CHECK(node_gpus(cluster, catalogue, {"v100"}).size() == 2);
  const auto table = nodes_table(all, {});
  CHECK(table.find("bad fan") != std::string::npos);
  CHECK(table.find("idle+drain") != std::string::npos);
  CHECK(nodes_json(all)[1]["free"] == 1);
  CHECK(nodes_table({}, {}) == "No node has such a GPU.\n");
}

TEST_CASE("users are sorted by GPUs held, then by GPUs awaited; each array element counts") {
  const auto catalogue = test::afton_catalogue();
  Cluster cluster = mixed();
  CHECK(text_of(user_gpus(cluster, catalogue, {})) == "anna 3/1 0/0;ben 1/1 2/1;cleo 0/0 3/3;");
  CHECK(text_of(user_gpus(cluster, catalogue, {"v100"})) == "anna 3/1 0/0;ben 1/1 2/1;cleo 0/0 3/3;");
  CHECK(user_gpus(cluster, catalogue, {"a40"}).empty());
  CHECK(user_gpus(cluster, catalogue, {})[0].held_type.at("v100") == 3);
  test::pending(cluster, "5", 0, 0, 1h).user = "dora";  // no GPU
  CHECK(user_gpus(cluster, catalogue, {}).size() == 3);
  CHECK(users_json(user_gpus(cluster, catalogue, {}))[1]["waiting_gpus"] == 2);
}

TEST_CASE("a site that hides jobs is mentioned") {
  const auto catalogue = test::afton_catalogue();
  Cluster cluster = mixed();
  CHECK(users_table(user_gpus(cluster, catalogue, {}), cluster, {}).find("hides") == std::string::npos);
  cluster.unanswered[jobs_of_others] = "PrivateData";
  CHECK(users_table(user_gpus(cluster, catalogue, {}), cluster, {}).find("hides other users' jobs") !=
        std::string::npos);
}

}  // namespace rv::cli
