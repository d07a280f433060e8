#include "reports/accept/small_message.h"

#include <doctest/doctest.h>

#include "reports/accept/baseline_yaml.h"
#include "reports/accept/judgement.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

Figure message(std::uint64_t bytes, double bandwidth, double time_us) {
  Figure figure;
  figure.suite = "collective";
  figure.name = "all_reduce fp32 " + std::to_string(bytes);
  figure.all_ranks = true;
  figure.value = bandwidth;
  figure.spread = bandwidth / 10;
  figure.unit = "GB/s";
  figure.params = {{"collective", "all_reduce"}, {"type", "fp32"}, {"bytes", bytes}, {"time_us", time_us}};
  figure.verdict = Verdict::pass;
  return figure;
}

NodeEvidence node_with(std::vector<Figure> figures, const std::string& name = "n1") {
  NodeEvidence node;
  node.node = name;
  auto environment = gpus_environment(4);
  environment["readings"] = {{{"model", "NVIDIA H200"}, {"numbers", {{"nvlinks_active", 18}}}}};
  figures.push_back(gpu_figure(0, "seen", 1));
  figures.back().suite = "p2p";
  node.steps.push_back(step_done("collective", std::move(figures), environment));
  return node;
}

Order collective_order(int nodes) {
  return {.nodes = nodes, .gpus_per_node = 4, .full = false, .device = "auto", .suites = {Suite::collective}};
}

TEST_CASE("a message below 1 MiB is its time, a larger one its bandwidth") {
  const auto judged =
      judge(collective_order(1), {node_with({message(8, 0.0015, 8), message(1 << 20, 92, 17)})}, {}, false);
  CHECK(judged.figures[0].figure.unit == "us");
  CHECK(judged.figures[0].figure.value == 8);
  CHECK(judged.figures[0].figure.spread == doctest::Approx(0.8));
  CHECK(judged.figures[0].figure.params["bus_bandwidth"] == 0.0015);
  CHECK(judged.figures[1].figure.unit == "GB/s");
  CHECK(judged.figures[1].figure.value == 92);
}

TEST_CASE("a latency is judged by its baseline in microseconds, and the finding has that unit") {
  const auto baselines = baselines_with("");
  const auto good = judge(collective_order(1), {node_with({message(8, 0.0015, 8.4)})}, baselines, false);
  REQUIRE(good.figures[0].baseline != nullptr);
  CHECK(good.figures[0].baseline->unit == "us");
  CHECK(good.findings.empty());
  const auto late = judge(collective_order(1), {node_with({message(8, 0.0004, 30)})}, baselines, false);
  REQUIRE(late.findings.size() == 1);
  CHECK(late.findings[0].what.find("30.0 us is 0.28 of the baseline 8.26") != std::string::npos);
}

TEST_CASE("a baseline in GB/s from an older file is converted to a time") {
  const auto known = parse_baselines(
      "- {gpu: A, source: s, figure: all_reduce, gpus: 4, type: fp32, bytes: 8, value: 0.0015, unit: GB/s}\n"
      "- {gpu: A, source: s, figure: all_reduce, gpus: 4, type: fp32, bytes: 1048576, value: 92, unit: GB/s}\n",
      "b.yaml");
  CHECK(known[0].unit == "us");
  CHECK(known[0].value == doctest::Approx(8));  // 1.5 times 8 bytes in 8 us
  CHECK(known[1].unit == "GB/s");
}

TEST_CASE("of equal nodes the one whose small messages are late is named") {
  std::vector<NodeEvidence> nodes;
  for (const char* const name : {"n1", "n2", "n3", "n4", "n5"}) {
    nodes.push_back(node_with({message(8, 0.0015, name[1] == '3' ? 26 : 8.1), message(1 << 27, 330, 600)}, name));
  }
  const auto judged = judge(collective_order(5), nodes, {}, false);
  std::string named;
  for (const auto& finding : judged.findings) {
    if (finding.what.find("is an outlier") != std::string::npos) named += finding.subject.node + ": " + finding.what;
  }
  CHECK(named == "n3: all_reduce fp32 8 26.0 us is an outlier: the median of 5 is 8.1");
}

}  // namespace
}  // namespace rv::accept
