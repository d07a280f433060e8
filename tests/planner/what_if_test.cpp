#include "planner/what_if.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/make_plan.h"
#include "queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using Options = std::vector<std::string>;

namespace {

void add_running(Cluster& cluster, const std::string& id, const std::string& node, int gpus,
                 std::chrono::seconds limit) {
  QueuedJob job;
  job.id = id;
  job.user = "other";
  job.state = "RUNNING";
  job.partitions = {"gpu-a100-80"};
  job.cpus = gpus;
  job.requested = {{"cpu", gpus}, {"gres/gpu", gpus}};
  job.time_limit = limit;
  job.start = job.submitted = test::noon;
  job.node_names = {node};
  test::node_of(cluster, node).gpus[0].used = gpus;
  test::node_of(cluster, node).cpus_used = gpus;
  cluster.jobs.push_back(job);
}

/// The A100 are taken for long, with a window before somebody's job on the first node; the A40 are free.
Cluster cluster_with_window() {
  Cluster cluster = test::afton();
  add_running(cluster, "1", "an36-1", 4, 3h);
  add_running(cluster, "2", "an36-2", 8, 40h);
  cluster.jobs.push_back(cluster.jobs[0]);
  QueuedJob& waiting = cluster.jobs.back();
  waiting.id = "3";
  waiting.state = "PENDING";
  waiting.priority = 1000;
  waiting.start.reset();
  waiting.node_names.clear();
  waiting.cpus = 8;
  waiting.requested = {{"cpu", 8}, {"gres/gpu", 8}};
  return cluster;
}

struct Asked {
  Plan plan;
  std::vector<WhatIf> found;

  const Strategy& strategy() const { return *soonest_whole(plan); }
  const WhatIf* first(Change change) const {
    const auto at = std::find_if(found.begin(), found.end(), [&](const WhatIf& one) { return one.change == change; });
    return at == found.end() ? nullptr : &*at;
  }
  std::string words(Change change) const {
    const WhatIf* one = first(change);
    return one == nullptr ? "none" : in_words(*one, strategy());
  }
};

Asked ask_about(const Cluster& cluster, const Request& request) {
  const auto inputs = test::last_in_line();
  Asked asked{make_plan(cluster, test::afton_catalogue(), request, inputs), {}};
  REQUIRE(soonest_whole(asked.plan) != nullptr);
  asked.found = what_ifs(cluster, test::afton_catalogue(), request, asked.strategy(), inputs);
  return asked;
}

Request four_large_a100() {
  Request request = test::ask(4, 4h);
  request.types = {"a100_80"};
  request.single_node = true;
  return request;
}

}  // namespace

TEST_CASE("a shorter time that slips in, and another type that is free, are offered with their options") {
  const Asked asked = ask_about(cluster_with_window(), four_large_a100());
  CHECK(asked.words(Change::shorter_time) == "2h 50m instead of 4h starts now: --time 2h50m");
  CHECK(asked.words(Change::other_type) == "a6000 instead of A100 80 GB starts now: -t a6000");
  REQUIRE(asked.first(Change::shorter_time) != nullptr);
  CHECK(asked.first(Change::shorter_time)->strategy.wait.p50 < 60s);
  CHECK(asked.first(Change::shorter_time)->strategy.time_limit == 2h + 50min);
}

TEST_CASE("fewer GPUs are offered only where they start now") {
  Cluster cluster = test::afton();
  add_running(cluster, "1", "an36-1", 6, 5h);
  add_running(cluster, "2", "an36-2", 8, 40h);
  const Asked asked = ask_about(cluster, four_large_a100());
  CHECK(asked.words(Change::fewer_gpus) == "2 GPUs instead of 4 start now: -g 2");
  SUBCASE("none are left") {
    test::node_of(cluster, "an36-1").gpus[0].used = 8;
    cluster.jobs[0].requested["gres/gpu"] = 8;
    CHECK(ask_about(cluster, four_large_a100()).words(Change::fewer_gpus) == "none");
  }
  SUBCASE("a job ahead in the queue gets them first") {
    QueuedJob ahead = cluster.jobs[0];
    ahead.id = "3";
    ahead.state = "PENDING";
    ahead.priority = 1000;
    ahead.start.reset();
    ahead.node_names.clear();
    ahead.requested = {{"cpu", 2}, {"gres/gpu", 2}};
    ahead.cpus = 2;
    cluster.jobs.push_back(ahead);
    CHECK(ask_about(cluster, four_large_a100()).words(Change::fewer_gpus) == "none");
  }
}

TEST_CASE("two nodes are offered where one node's GPUs are not free together") {
  Cluster cluster = test::afton();
  add_running(cluster, "1", "an36-1", 6, 5h);
  add_running(cluster, "2", "an36-2", 6, 40h);
  CHECK(ask_about(cluster, four_large_a100()).words(Change::more_nodes) == "2 nodes instead of 1 start now: --nodes 2");
}

TEST_CASE("types are offered only to a request that names some, and partitions with them") {
  Request request = four_large_a100();
  request.types.clear();
  request.partitions = {"gpu-a100-80"};
  const Asked asked = ask_about(cluster_with_window(), request);
  REQUIRE(asked.first(Change::other_type) != nullptr);
  const auto& options = asked.first(Change::other_type)->options;
  REQUIRE(options.size() == 4);
  CHECK(options[2] == "-p");
  CHECK(options[3] == "gpu-a6000");
}

TEST_CASE("a job that starts now or is unknown gets no advice") {
  CHECK(ask_about(test::afton(), four_large_a100()).found.empty());
  Cluster blind = cluster_with_window();
  blind.unanswered["jobs"] = "no answer";
  CHECK(ask_about(blind, four_large_a100()).found.empty());
}
