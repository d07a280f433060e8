#include "reports/accept/summary.h"

#include <doctest/doctest.h>

#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

Figure reduce(std::uint64_t bytes, double speed, double time_us, Verdict verdict = Verdict::pass) {
  Figure figure;
  figure.suite = "collective";
  figure.name = "all_reduce fp32 " + size_text(bytes);
  figure.all_ranks = true;
  figure.value = speed;
  figure.unit = "GB/s";
  figure.params = {
      {"collective", "all_reduce"}, {"type", "fp32"}, {"bytes", bytes}, {"in_place", false}, {"time_us", time_us}};
  figure.verdict = verdict;
  return figure;
}

TEST_CASE("a sweep is its largest size, its smallest's time, and its own row for a size that failed") {
  Order order{.nodes = 1, .gpus_per_node = 2, .full = false, .device = "auto", .suites = {Suite::collective}};
  const NodeEvidence node{
      .node = "n1",
      .steps = {step_done("collective",
                          {reduce(8, 0.001, 6.5), reduce(1 << 20, 70, 15, Verdict::fail), reduce(1 << 27, 300, 460)})}};
  const auto tables = summarize(judge(order, {node}, {}, false));
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].title == "n1, its ranks together");
  CHECK(tables[0].place == "n1");
  CHECK(tables[0].kind == PlaceKind::ranks_together);
  REQUIRE(tables[0].rows.size() == 2);
  CHECK(tables[0].rows[0].name == "all_reduce fp32 128M");
  CHECK(tables[0].rows[0].value == 300);
  CHECK(tables[0].rows[0].small_us == 6.5);
  CHECK(tables[0].rows[0].verdict == Verdict::pass);
  CHECK(tables[0].rows[1].name == "all_reduce fp32 1M, the worst of 3 sizes");
  CHECK(tables[0].rows[1].value == 70);
  CHECK(tables[0].rows[1].verdict == Verdict::fail);
}

TEST_CASE("a worker's note about a figure is reported once, with the GPU and the figure") {
  auto noted = gpu_figure(1, "transformer bf16 batch 32", 696, "samples/s");
  noted.params["note"] = "attention is computed by products";
  Order order{.nodes = 1, .gpus_per_node = 2, .full = false, .device = "auto", .suites = {Suite::compute}};
  const NodeEvidence node{
      .node = "n1",
      .steps = {step_done("compute", {gpu_figure(0, "transformer bf16 batch 32", 880, "samples/s"), noted, noted})}};
  const auto judgement = judge(order, {node}, {}, false);
  CHECK(notes_of(judgement) ==
        std::vector<std::string>{"n1 gpu 1 (GPU-1): transformer bf16 batch 32: attention is computed by products"});
}

JudgedFigure judged(std::uint64_t bytes, double ratio, Verdict verdict) {
  JudgedFigure one;
  one.step = "collective";
  one.figure = reduce(bytes, 100 * ratio, 10);
  one.subject.node = "n1";
  one.key.figure = "all_reduce";
  one.key.type = "fp32";
  one.key.bytes = bytes;
  one.ratio = ratio;
  one.verdict = verdict;
  return one;
}

TEST_CASE("a ratio is in the row of its size") {
  Judgement judgement;
  judgement.figures = {judged(8, 0.26, Verdict::pass), judged(1 << 27, 1.01, Verdict::pass)};
  const auto well = summarize(judgement);
  REQUIRE(well[0].rows.size() == 1);
  CHECK(well[0].rows[0].ratio == 1.01);
  judgement.figures[0].verdict = Verdict::fail;
  const auto badly = summarize(judgement);
  REQUIRE(badly[0].rows.size() == 2);
  CHECK(badly[0].rows[0].ratio == 1.01);
  CHECK(badly[0].rows[1].ratio == 0.26);
  CHECK(badly[0].rows[1].value == 26);
}

TEST_CASE("every GPU has a table of its own") {
  const auto tables = summarize(judge(compute_order(), {four_gpus({690, 695, 700, 692})}, {}, false));
  REQUIRE(tables.size() == 4);
  CHECK(tables[1].title == "n1 gpu 1 (GPU-1), NVIDIA H200");
  CHECK(tables[1].place == "n1 gpu 1");
  CHECK(tables[1].kind == PlaceKind::gpu);
}

TEST_CASE("what a host did is apart from its GPUs, and so is what all nodes did") {
  Judgement judgement;
  judgement.figures = {judged(8, 1, Verdict::pass), judged(8, 1, Verdict::pass)};
  judgement.figures[0].figure.all_ranks = false;
  judgement.figures[1].subject.node.clear();
  const auto tables = summarize(judgement);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].title == "n1, host");
  CHECK(tables[0].kind == PlaceKind::host);
  CHECK(tables[1].title == "all nodes together");
  CHECK(tables[1].kind == PlaceKind::all_nodes);
}

TEST_CASE("figures keep three digits, sizes their unit") {
  CHECK(figure_text(4259.3) == "4259");
  CHECK(figure_text(12.345) == "12.3");
  CHECK(figure_text(0.012345) == "0.0123");
  CHECK(size_text(8) == "8");
  CHECK(size_text(65536) == "64K");
  CHECK(size_text(1536) == "1536");
  CHECK(size_text(std::uint64_t{8} << 30) == "8G");
}

}  // namespace
}  // namespace rv::accept
