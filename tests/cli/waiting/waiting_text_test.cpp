#include "cli/waiting/waiting_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv::cli {

namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;

planner::Strategy four_a40(std::optional<seconds> p50) {
  planner::Strategy strategy;
  strategy.gpu.name = "a40";
  strategy.gpu.title = "A40";
  strategy.gpus_per_node = 4;
  strategy.partitions = {"gpu-a40"};
  strategy.time_limit = strategy.work_time = 4h;
  strategy.wait.p50 = p50;
  strategy.wait.basis = "replay of 12 jobs at their full time limits";
  if (p50) {
    strategy.wait.p10 = *p50 / 2;
    strategy.wait.p90 = *p50 * 2;
  }
  return strategy;
}

std::string line_of(const WaitingRun& waiting, const std::string& word) {
  for (const auto& [left, line] : waiting_lines(waiting, "k3f9x2")) {
    if (left == word) return line;
  }
  return "";
}

}  // namespace

TEST_CASE("a predicted start has its range, the job and the basis of the prediction") {
  WaitingRun waiting;
  waiting.start = four_a40(3h);
  CHECK(line_of(waiting, "start") ==
        "in about 3h (1h 30m to 6h), 4× A40 on gpu-a40; replay of 12 jobs at their full time limits");
  waiting.start = four_a40({});
  CHECK(line_of(waiting, "start").starts_with("in over a week, 4× A40"));
  waiting.start->wait = planner::Wait{};
  waiting.start->wait.basis = "unknown: the budget is used up";
  CHECK(line_of(waiting, "start") == "unknown: the budget is used up, 4× A40 on gpu-a40");
}

TEST_CASE("a place in the queue lists the jobs ahead") {
  WaitingRun waiting;
  waiting.places = {{1, "29", "4× A40 on gpu-a40", {.place = 3, .waiting = 9, .gpus_ahead = 12, .own_ahead = 1}}};
  CHECK(line_of(waiting, "queue") == "4× A40 on gpu-a40: place 3 of 9; ahead: 2 jobs with 12 GPUs (yours: 1)");
  waiting.places[0].place = {.place = 1, .waiting = 1, .gpus_ahead = 0, .own_ahead = 0};
  CHECK(line_of(waiting, "queue") == "4× A40 on gpu-a40: place 1 of 1");
}

TEST_CASE("a way out is a command, and then the run that waits is stopped") {
  WaitingRun waiting;
  waiting.start = four_a40(3h);
  planner::WhatIf fewer{planner::Change::fewer_gpus, four_a40(0s), {"-g", "2"}};
  waiting.sooner = {{fewer, "2 GPUs instead of 4 start now", "rv rerun k3f9x2 -g 2"}};
  CHECK(line_of(waiting, "sooner") == "2 GPUs instead of 4 start now: rv rerun k3f9x2 -g 2, then rv stop k3f9x2");
  const auto json = waiting_json(waiting);
  CHECK(json["sooner"][0]["command"] == "rv rerun k3f9x2 -g 2");
  CHECK(json["sooner"][0]["change"] == "fewer_gpus");
  CHECK(json["start"]["p50_s"] == 10'800);
  waiting.sooner[0].command.clear();
  CHECK(line_of(waiting, "sooner") == "2 GPUs instead of 4 start now: rv up with -g 2, then rv stop k3f9x2");
}

TEST_CASE("a run that waits for another run shows when that run ends") {
  WaitingRun waiting;
  waiting.after = Predecessor{.run = "wvftk6", .name = "pre", .state = "running", .end = {}, .start = {}, .limit = {}};
  CHECK(line_of(waiting, "after") == "pre (wvftk6): running");
  waiting.after->end = planner::PredictedEnd{.latest = 4h, .p10 = {}, .p50 = {}, .p90 = {}};
  CHECK(line_of(waiting, "after") == "pre (wvftk6): running, ends in 4h at the latest");
  waiting.after->end = planner::PredictedEnd{.latest = 4h, .p10 = 1h, .p50 = 2h, .p90 = 3h};
  CHECK(line_of(waiting, "after") == "pre (wvftk6): running, ends in about 2h (1h to 3h), in 4h at the latest");
  CHECK(waiting_json(waiting)["after"]["end"]["latest_s"] == 14'400);
  CHECK(waiting_json(waiting)["start"].is_null());
  waiting.after = Predecessor{
      .run = "wvftk6", .name = "pre", .state = "queued", .end = {}, .start = four_a40(30s).wait, .limit = 4h};
  CHECK(line_of(waiting, "after") == "pre (wvftk6): queued, starts in a moment and runs for 4h at most");
}

}  // namespace rv::cli
