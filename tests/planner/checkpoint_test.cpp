#include "planner/checkpoint.h"

#include <doctest/doctest.h>

#include "planner/make_plan.h"
#include "queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("segments, each but the first with its restart") {
  CHECK(segments_needed(2h, 4h, 5min) == 1);
  CHECK(segments_needed(12h, 4h, 0s) == 3);
  CHECK(segments_needed(12h, 4h, 5min) == 4);
  CHECK(segments_needed(12h, 5min, 5min) == std::nullopt);
}

TEST_CASE("the length with the earliest end, and the longer of equal ones") {
  Prospect prospect;
  prospect.limits = {1h, 2h, 4h, 8h};
  prospect.starts_by_limit = {{0, 0, 0}, {0, 0, 0}, {60, 60, 60}, {7200, 7200, 7200}};
  const auto best = best_segments(prospect, 12h, 12h, 5min, "");
  REQUIRE(best);
  CHECK(best->length == 4h);
  CHECK(best->count == 4);
  CHECK(best->finish == 12h + 4 * 1min + 3 * 5min);
  CHECK(best_segments(prospect, 12h, 2h, 5min, "")->length == 2h);
  CHECK_FALSE(best_segments(prospect, 12h, 10min, 5min, ""));
  prospect.starts_by_limit.assign(4, {never, never, never});
  CHECK_FALSE(best_segments(prospect, 12h, 12h, 5min, ""));
}

namespace {

/// Two A40 GPUs and two A100 are free on nodes that a queued job will have in four hours; nothing else is.
Cluster with_windows() {
  Cluster cluster = test::afton();
  int id = 100;
  for (Node& node : cluster.nodes) {
    if (node.gpus.empty()) continue;
    const bool window = node.name == "an33-1" || node.name == "an34-1";
    const int busy = window ? node.gpus[0].total - 2 : node.gpus[0].total;
    QueuedJob job;
    job.id = std::to_string(++id);
    job.user = "other";
    job.state = "RUNNING";
    job.partitions = node.partitions;
    job.cpus = busy;
    job.requested = {{"cpu", busy}, {"gres/gpu", busy}};
    job.time_limit = window ? 5h : 60h;
    job.start = test::noon - 58min;
    job.submitted = job.start;
    job.node_names = {node.name};
    node.gpus[0].used = node.cpus_used = busy;
    cluster.jobs.push_back(job);
    if (!window) continue;
    job.id = std::to_string(++id);
    job.state = "PENDING";
    job.priority = 1000;
    job.start.reset();
    job.node_names.clear();
    job.time_limit = 20h;
    job.cpus = node.gpus[0].total;
    job.requested = {{"cpu", job.cpus}, {"gres/gpu", job.cpus}};
    cluster.jobs.push_back(job);
  }
  return cluster;
}

}  // namespace

TEST_CASE("work of 12 hours where windows of four are open: checkpointed strategies for A40 and A100") {
  Request request = test::ask(2, 12h);
  ForecastInputs inputs;
  inputs.priority = 1;
  const Plan plan = make_plan(with_windows(), test::afton_catalogue(), request, inputs);
  std::vector<std::string> cut;
  for (const Strategy& one : plan.strategies) {
    if (one.kind != Kind::checkpoint) continue;
    cut.push_back(one.gpu.name);
    CHECK(one.time_limit == 240min);
    CHECK(one.segments == 4);
    CHECK(one.wait.p50 <= 30s);
    CHECK(one.finish <= 12h + 15min + 4 * 30s);
  }
  std::sort(cut.begin(), cut.end());
  CHECK(cut == std::vector<std::string>{"a100_40", "a40"});
  CHECK(plan.strategies.front().kind == Kind::checkpoint);
  for (const Strategy& one : plan.strategies) {
    if (one.kind != Kind::plain || one.gpu.name != "a40") continue;
    CHECK(one.wait.window == 4h);
    CHECK(one.finish > 24h);
  }
}

TEST_CASE("work that can start at once as a whole is not cut into segments") {
  const Plan plan = make_plan(test::afton(), test::afton_catalogue(), test::ask(2, 12h), ForecastInputs{});
  for (const Strategy& one : plan.strategies) {
    CHECK(one.kind != Kind::checkpoint);
    CHECK(one.wait.basis == "free now");
    CHECK(one.finish == 12h);
  }
}
