#include "cli/views/plan_view.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/json/values_json.h"

namespace rv::cli {

namespace {

using std::chrono::seconds;

planner::Plan small_plan() {
  planner::Strategy one;
  one.gpu.name = "a40";
  one.gpu.title = "A40";
  one.gpu.vram = Mebibytes{48 * 1024};
  one.gres_type = "a40";
  one.gpus_per_node = 4;
  one.partitions = {"gpu-a40"};
  one.time_limit = one.work_time = seconds(1800);
  one.cpus_per_node = 16;
  one.memory_per_node = {65'536};
  one.wait = {seconds(0), seconds(1), seconds(2), "free now", {}, {}};
  one.cost_su = 816.67;
  planner::Strategy two = one;
  two.nodes = 2;
  two.gpus_per_node = 2;
  two.partitions = {"p1", "p2"};
  two.kind = planner::Kind::checkpoint;
  two.segments = 3;
  two.wait = {};
  two.cost_su.reset();
  two.account = "lab";
  two.qos = "high";
  two.constraint = "a&b";
  two.exclude = {"n9"};
  return {{one, two}, {{"h200", "too few"}, {"v100", "too few"}, {"v100", "too few"}, {"a30", "MaxTime is 12h"}}};
}

os::Terminal wide() {
  return {.width = 100};
}

}  // namespace

TEST_CASE("cost has as many digits as matter") {
  CHECK(cost_text(816.67) == "817");
  CHECK(cost_text(99.96) == "100");
  CHECK(cost_text(46.381) == "46.4");
  CHECK(cost_text(2.096) == "2.10");
  CHECK(cost_text(0.0) == "0");
  CHECK(cost_text(std::nullopt) == "unknown");
}

TEST_CASE("the table is ranked, and unknown values are shown as unknown") {
  planner::Request request;
  request.gpus = 4;
  const std::string text = plan_table(small_plan(), request, wide());
  CHECK(text.starts_with("#  GPUs     partition  kind"));
  CHECK(text.find("1  4× A40   gpu-a40    plain") != std::string::npos);
  CHECK(text.find("  now  ") != std::string::npos);
  CHECK(text.find("817\n") != std::string::npos);
  CHECK(text.find("2  2×2 A40  p1,p2      checkpoint  3 jobs of 30m  unknown    unknown\n") != std::string::npos);
  CHECK(text.ends_with("\nRejected:\n  h200, v100: too few\n  a30: MaxTime is 12h\n"));
}

TEST_CASE("the controller's answer is beside the prediction; rejections and missing answers are below") {
  using Outcome = planner::TestOnlyResult::Outcome;
  auto plan = small_plan();
  plan.strategies.resize(2);
  plan.strategies.push_back(plan.strategies[0]);
  plan.strategies.push_back(plan.strategies[0]);
  plan.strategies[0].controller = {Outcome::starts, seconds(1200), "n1", ""};
  plan.strategies[1].controller = {Outcome::refused, std::nullopt, "", "Requested node configuration is not available"};
  plan.strategies[2].controller = {Outcome::unknown, std::nullopt, "", "no answer in time"};
  const std::string text = plan_table(plan, planner::Request{}, wide());
  CHECK(text.find("  wait     controller  cost (SU)\n") != std::string::npos);
  CHECK(text.find("  now      20m               817\n") != std::string::npos);
  CHECK(text.find("  unknown  refuses       unknown\n") != std::string::npos);
  CHECK(text.find("  now      unknown           817\n") != std::string::npos);
  CHECK(text.find("  now                        817\n") != std::string::npos);
  CHECK(text.find("\n  2×2 A40 on p1,p2: Requested node configuration is not available\n") != std::string::npos);
  CHECK(text.find("\n  4× A40 on gpu-a40: unknown: no answer in time\n") != std::string::npos);
  plan.strategies[0].controller->wait = std::chrono::hours(24 * 365 * 200);
  CHECK(plan_table(plan, planner::Request{}, wide()).find("  over a year  ") != std::string::npos);
  CHECK(plan_table(small_plan(), planner::Request{}, wide()).find("ontroller") == std::string::npos);
}

TEST_CASE("once one end is known, the ends are compared") {
  auto plan = small_plan();
  plan.strategies[1].finish = std::chrono::minutes(125);
  const std::string text = plan_table(plan, planner::Request{}, wide());
  CHECK(text.find("  done in  ") != std::string::npos);
  CHECK(text.find("  now      unknown  ") != std::string::npos);
  CHECK(text.find("  unknown    2h 5m    unknown\n") != std::string::npos);
}

TEST_CASE("a narrow terminal shows the GPUs' memory and the waits in full") {
  auto plan = small_plan();
  plan.strategies[0].gpu.title = "A100 40 GB";
  plan.strategies[1].gpu.title = "A100 80 GB";
  plan.strategies[1].wait = {seconds(10'800), seconds(18'000), seconds(32'400), "replay of 3 jobs", {}, {}};
  for (const int width : {40, 44, 50, 60, 80}) {
    const std::string text = plan_table(plan, {}, {.out = true, .width = width});
    CHECK(text.find("4× A100 40 GB ") != std::string::npos);
    CHECK(text.find("2×2 A100 80 GB ") != std::string::npos);
    CHECK(text.find("5h, 3h to 9h") != std::string::npos);
  }
  // What gives way is the partition and the kind.
  CHECK(plan_table(plan, {}, {.out = true, .width = 72}).find("gpu-a…") != std::string::npos);
}

TEST_CASE("lines fit the width") {
  planner::Request request;
  auto plan = small_plan();
  plan.rejected.push_back({"x", "a reason of many words that does not fit into one line of a narrow terminal at all"});
  plan.strategies[0].partitions = {"a-partition-with-a-long-name", "another-partition-with-a-long-name"};
  const std::string text = plan_table(plan, request, {.out = true, .width = 70});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U ? 1 : 0;
    CHECK(count <= 70);
    begin = end + 1;
  }
}

TEST_CASE("a wait with a spread shows it and its basis") {
  auto plan = small_plan();
  plan.strategies[0].wait = {seconds(300), seconds(1500), seconds(7200), "replay", {}, {}};
  plan.strategies[1].wait = {std::nullopt, seconds(60), std::nullopt, "history", {}, {}};
  const std::string text = plan_table(plan, {}, wide());
  CHECK(text.find("25m, 5m to 2h (replay)") != std::string::npos);
  CHECK(text.find("1m (history)") != std::string::npos);
}

TEST_CASE("the seconds of a launch do not count as a wait") {
  auto plan = small_plan();
  const std::string basis = "replay of 3 jobs";
  plan.strategies[0].wait = {seconds(0), seconds(2), seconds(180), basis, {}, {}};
  plan.strategies[1].wait = {seconds(2), seconds(13), seconds(28), basis, {}, {}};
  const std::string text = plan_table(plan, {}, wide());
  CHECK(text.find("now, up to 3m") != std::string::npos);
  CHECK(text.find("13s, 2s to 28s") != std::string::npos);
}

TEST_CASE("an empty plan lists the reasons") {
  planner::Request request;
  request.gpus = 64;
  const std::string text = plan_table({{}, {{"a40", "at most 8 a node"}}}, request, wide());
  CHECK(text.starts_with("This cluster can't provide 64 GPUs for "));
  CHECK(text.ends_with("Rejected:\n  a40: at most 8 a node\n"));
}

TEST_CASE("the plan's JSON has every promised key") {
  planner::Request request;
  request.gpus = 4;
  const auto json = plan_json(small_plan(), request,
                              [](const planner::Strategy&, int rank) { return "script " + std::to_string(rank); });
  CHECK(json["request"]["gpus"] == 4);
  CHECK(json["request"]["vram_mb"].is_null());
  const auto& one = json["strategies"][0];
  CHECK(one["rank"] == 1);
  CHECK(one["gpu_type"] == "a40");
  CHECK(one["gpus"] == 4);
  CHECK(one["nodes"] == 1);
  CHECK(one["gpus_per_node"] == 4);
  CHECK(one["partition"] == "gpu-a40");
  CHECK(one["kind"] == "plain");
  CHECK(one["time_limit_s"] == 1800);
  CHECK(one["cpus_per_node"] == 16);
  CHECK(one["mem_per_node_mb"] == 65'536);
  CHECK(one["wait"]["p50_s"] == 1);
  CHECK(one["wait"]["basis"] == "free now");
  CHECK(one["cost_su"] == 816.67);
  CHECK(one["script"] == "script 1");
  CHECK_FALSE(one.contains("account"));
  const auto& two = json["strategies"][1];
  CHECK(two["partition"] == "p1,p2");
  CHECK(two["segments"] == 3);
  CHECK(two["work_time_s"] == 1800);
  CHECK(two["wait"]["p10_s"].is_null());
  CHECK(two["wait"]["basis"] == "unknown");
  CHECK(two["cost_su"].is_null());
  CHECK(two["account"] == "lab");
  CHECK(two["qos"] == "high");
  CHECK(two["constraint"] == "a&b");
  CHECK(two["exclude"][0] == "n9");
  CHECK(json["rejected"][0]["gpu_type"] == "h200");
  CHECK(json["rejected"][0]["reason"] == "too few");
}

}  // namespace rv::cli
