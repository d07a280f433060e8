#include "accept/summary.h"

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

TEST_CASE("a sweep is one row: its largest size, its smallest's time, its worst verdict") {
  Order order{.nodes = 1, .gpus_per_node = 2, .full = false, .device = "auto", .suites = {Suite::collective}};
  const NodeEvidence node{
      .node = "n1",
      .steps = {step_done("collective",
                          {reduce(8, 0.001, 6.5), reduce(1 << 20, 70, 15, Verdict::fail), reduce(1 << 27, 300, 460)})}};
  const auto tables = summarize(judge(order, {node}, {}, false));
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].title == "n1, its GPUs together");
  REQUIRE(tables[0].rows.size() == 1);
  CHECK(tables[0].rows[0].name == "all_reduce fp32 128M");
  CHECK(tables[0].rows[0].value == 300);
  CHECK(tables[0].rows[0].small_us == 6.5);
  CHECK(tables[0].rows[0].verdict == Verdict::fail);
}

TEST_CASE("every GPU has a table of its own") {
  const auto tables = summarize(judge(compute_order(), {four_gpus({690, 695, 700, 692})}, {}, false));
  REQUIRE(tables.size() == 4);
  CHECK(tables[1].title == "n1 gpu 1 (GPU-1), NVIDIA H200");
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
