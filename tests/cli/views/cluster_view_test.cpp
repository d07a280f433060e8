#include "cli/views/cluster_view.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/settings/settings.h"

namespace rv::cli {

namespace {

planner::Node node(const std::string& name, planner::NodeState state, const std::string& type, int total, int used,
                   const std::string& partition) {
  planner::Node made;
  made.name = name;
  made.state = std::move(state);
  made.gpus = {{type, total, used}};
  made.partitions = {partition};
  return made;
}

planner::QueuedJob pending(const std::string& partition, planner::Tres requested, const std::string& gres = "") {
  planner::QueuedJob job;
  job.state = "PENDING";
  job.partitions = {partition};
  job.requested = std::move(requested);
  job.gres_per_node = gres;
  return job;
}

planner::Cluster small_cluster() {
  planner::Cluster cluster;
  cluster.nodes = {node("n1", {"MIXED", {}}, "a40", 8, 3, "p40"), node("n2", {"IDLE", {"DRAIN"}}, "a40", 8, 0, "p40"),
                   node("n3", {"MIXED", {"DRAIN"}}, "a40", 8, 2, "both"),
                   node("n4", {"IDLE", {}}, "zz9", 2, 0, "both")};
  return cluster;
}

}  // namespace

TEST_CASE("GPUs are free, used or unusable, and each is counted once") {
  const auto summary = summarise(small_cluster(), built_in_catalogue());
  REQUIRE(summary.types.size() == 2);
  const auto& a40 = summary.types[0];
  CHECK(a40.model.name == "a40");
  CHECK(a40.nodes == 3);
  CHECK(a40.total == 24);
  CHECK(a40.used == 5);
  CHECK(a40.free == 5);
  CHECK(a40.unusable == 14);
  CHECK(a40.partitions == std::vector<std::string>{"both", "p40"});
  CHECK(summary.types[1].model.name == "zz9");
  CHECK(summary.types[1].free == 2);
}

TEST_CASE("pending jobs count for the type they can only mean") {
  auto cluster = small_cluster();
  cluster.jobs = {pending("p40", {{"gres/gpu", 2}, {"gres/gpu:a40", 2}}),  // typed
                  pending("p40", {{"gres/gpu", 1}}),                       // untyped, one type in that partition
                  pending("both", {{"gres/gpu", 4}}),                      // could be either
                  pending("both", {{"gres/gpu", 6}}, "gres:gpu:zz9:3"),    // type not tracked, but typed
                  pending("p40", {{"cpu", 4}})};
  cluster.jobs[3].nodes = 2;
  cluster.jobs[0].array_tasks = 10;
  auto running = pending("p40", {{"gres/gpu:a40", 8}});
  running.state = "RUNNING";
  cluster.jobs.push_back(running);
  const auto summary = summarise(cluster, built_in_catalogue());
  CHECK(summary.types[0].pending == 21);
  CHECK(summary.types[1].pending == 6);
  CHECK(summary.pending_any_type == 4);
  const std::string text = cluster_table(cluster, built_in_catalogue(), {.width = 100});
  CHECK(text.find("Pending jobs request 4 more GPUs of several possible types.") != std::string::npos);
}

TEST_CASE("a missing answer is unknown, not zero") {
  auto cluster = small_cluster();
  cluster.unanswered["jobs"] = "squeue: timed out";
  const std::string text = cluster_table(cluster, built_in_catalogue(), {.width = 100});
  CHECK(text.find("unknown") != std::string::npos);
  CHECK(text.find("Unknown: jobs: squeue: timed out\n") != std::string::npos);
  CHECK(gpu_rows_json(cluster, built_in_catalogue())[0]["pending"].is_null());
  CHECK(gpu_rows_json(small_cluster(), built_in_catalogue())[0]["pending"] == 0);
}

TEST_CASE("the time of the snapshot is shown in UTC") {
  planner::Cluster cluster;
  cluster.taken_at = planner::TimePoint(std::chrono::seconds(1'700'000'000));
  CHECK(cluster_table(cluster, {}, {.width = 100}) ==
        "Cluster, as of 2023-11-14 22:13:20 UTC\n\nNo node of this cluster has a GPU.\n");
}

}  // namespace rv::cli
