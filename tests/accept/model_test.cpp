// Models that were timed: judged like every other figure.
#include <doctest/doctest.h>

#include "reports/accept/baseline_yaml.h"
#include "reports/accept/judgement.h"
#include "reports/accept/page/each_gpu.h"
#include "reports/accept/page/node_grid.h"
#include "reports/accept/page/trainings.h"
#include "reports/accept/summary.h"
#include "reports/accept/training_details.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

constexpr auto name = "resnet50 bf16 batch 64";

Order order_for(int nodes, int gpus) {
  return {.nodes = nodes, .gpus_per_node = gpus, .full = false, .device = "auto", .suites = {Suite::resnet50}};
}

Figure of_all(const std::string& figure_name, double value, const std::string& unit) {
  Figure figure;
  figure.suite = "model";
  figure.name = figure_name;
  figure.all_ranks = true;
  figure.value = value;
  figure.unit = unit;
  figure.params = nlohmann::ordered_json::object();
  figure.verdict = Verdict::pass;
  return figure;
}

Figure step_p95(double milliseconds) {
  auto figure = of_all(std::string(name) + " step p95", milliseconds, "ms");
  figure.params["quantile"] = 0.95;
  return figure;
}

Figure alone(int rank, int gpu, double rate) {
  auto figure = gpu_figure(gpu, std::string(name) + " alone", rate, "samples/s");
  figure.suite = "alone";
  figure.rank = rank;
  figure.gpu_uuid = "GPU-" + std::to_string(rank);
  return figure;
}

nlohmann::ordered_json four_ranks() {
  auto json = gpus_environment(2);
  json["ranks"] = nlohmann::ordered_json::array();
  for (int rank = 0; rank < 4; ++rank) {
    json["ranks"].push_back({{"rank", rank},
                             {"host", rank < 2 ? "n1" : "n2"},
                             {"gpu", rank % 2},
                             {"uuid", "GPU-" + std::to_string(rank)},
                             {"model", "NVIDIA H200"}});
  }
  return json;
}

/// Of two nodes with two GPUs each, at these rates without the others.
std::vector<NodeEvidence> two_nodes(const std::vector<double>& rates, double together = 24000) {
  std::vector<Figure> all{of_all(name, together, "samples/s"), step_p95(11)};
  all[0].params["losses"] = {7, 6, 5};
  for (int rank = 0; rank < 4; ++rank) all.push_back(alone(rank, rank % 2, rates[static_cast<std::size_t>(rank)]));
  std::vector<NodeEvidence> nodes;
  for (const auto* const node : {"n1", "n2"}) {
    NodeEvidence evidence{.node = node, .steps = {}};
    evidence.steps.push_back(step_done("resnet50", {of_all(name, 12000, "samples/s")}, gpus_environment(2)));
    evidence.steps.push_back(step_done("resnet50-all-nodes", {}));
    evidence.steps.back().reports.clear();
    nodes.push_back(evidence);
  }
  nodes[0].steps[1] = step_done("resnet50-all-nodes", all, four_ranks());
  return nodes;
}

Baseline expected(double value, int gpus, int nodes, const std::string& figure = name) {
  Baseline baseline;
  baseline.key.gpu = "NVIDIA H200";
  baseline.key.figure = figure;
  baseline.key.gpus = gpus;
  baseline.key.nodes = nodes;
  baseline.key.fabric = nodes > 1 ? "network" : "";
  baseline.value = value;
  baseline.unit = "samples/s";
  baseline.source = "measured";
  return baseline;
}

TEST_CASE("as fast as its baseline and as its equals is a pass") {
  const std::vector<Baseline> baselines{expected(24000, 4, 2)};
  const auto judged = judge(order_for(2, 2), two_nodes({6150, 6160, 6170, 6155}), baselines, false);
  CHECK(judged.verdict == Verdict::pass);
  CHECK(judged.findings.empty());
  CHECK(judged.suites_passed == std::vector<std::string>{"resnet50"});
}

TEST_CASE("of ranks over all nodes the slow one is named, with its node, its GPU and its rank") {
  const auto judged = judge(order_for(2, 2), two_nodes({6150, 6160, 6170, 5000}), {}, false);
  CHECK(judged.verdict == Verdict::fail);
  REQUIRE(judged.findings.size() == 1);
  const auto& finding = judged.findings.front();
  CHECK(finding.subject.node == "n2");
  CHECK(finding.subject.gpu_index == 1);
  CHECK(finding.subject.gpu_uuid == "GPU-3");
  CHECK(finding.rank == 3);
  CHECK(finding.what == "resnet50 bf16 batch 64 alone 5000 samples/s is an outlier: the median of 4 is 6155");
  CHECK(finding.advice.find("slow at training") != std::string::npos);
  CHECK(node_grid_html(order_for(2, 2), judged).find("gpu 1: fail") != std::string::npos);
  CHECK(each_gpu_html(judged).find("resnet50 bf16 batch 64 alone, resnet50-all-nodes") != std::string::npos);
}

TEST_CASE("all together below their baseline is a fail of all nodes, and of no other number of GPUs") {
  const auto nodes = two_nodes({6150, 6160, 6170, 6155}, 20000);
  const std::vector<Baseline> ours{expected(24000, 4, 2)}, others{expected(24000, 8, 2)};
  const auto judged = judge(order_for(2, 2), nodes, ours, false);
  REQUIRE(judged.findings.size() == 1);
  CHECK(to_string(judged.findings.front().subject) == "all nodes");
  CHECK(judged.findings.front().what.find("0.83 of the baseline 24000") != std::string::npos);
  CHECK(judge(order_for(2, 2), nodes, others, false).verdict == Verdict::pass);
}

TEST_CASE("a node that is slower than the other is named; the slowest few steps may differ more than all of them") {
  auto nodes = two_nodes({6150, 6160, 6170, 6155});
  for (auto& node : nodes) {
    const double p95 = node.node == "n1" ? 11 : 15;
    node.steps[0].reports[0].figures.push_back(step_p95(p95));
  }
  CHECK(judge(order_for(2, 2), nodes, {}, false).verdict == Verdict::pass);
  nodes[1].steps[0].reports[0].figures[0].value = 9000;
  const auto judged = judge(order_for(2, 2), nodes, {}, false);
  REQUIRE(judged.findings.size() == 1);
  CHECK(to_string(judged.findings.front().subject) == "n2");
}

TEST_CASE("what is saved as a baseline has rates and times, those of the slowest few steps with more room") {
  const auto judged = judge(order_for(2, 2), two_nodes({6150, 6160, 6170, 6155}), {}, false);
  const auto saved = parse_baselines(baselines_yaml(judged, "here"), "own.yaml");
  const auto* const rate = find_baseline(saved, expected(24000, 4, 2).key);
  REQUIRE(rate != nullptr);
  CHECK(rate->value == 24000);
  CHECK(rate->at_least == 0.85);
  const auto* const tail = find_baseline(saved, expected(11, 4, 2, std::string(name) + " step p95").key);
  REQUIRE(tail != nullptr);
  CHECK(tail->at_least == 0.5);
  const auto* const one = find_baseline(saved, expected(6150, 1, 1, std::string(name) + " alone").key);
  REQUIRE(one != nullptr);
  CHECK(one->value == doctest::Approx(6157.5).epsilon(1e-3));
}

TEST_CASE("shares of a training's time and its memory follow its rate and its curves") {
  auto nodes = two_nodes({6150, 6160, 6170, 6155});
  auto& params = nodes[0].steps[1].reports[0].figures[0].params;
  params.update({{"precision", "bf16"},
                 {"shares", {{"compute", 0.9}, {"input", 0.02}, {"communication", 0.08}}},
                 {"model_tflops_per_rank", 98.95},
                 {"scaling_efficiency", 0.97},
                 {"peak_memory_bytes_by_rank", {11e9, 12.5e9, nullptr, 12e9}},
                 {"coefficient_of_variation", 0.004},
                 {"slowest_rank", {{"rank", 3}, {"host", "n2"}, {"ratio", 1.02}}}});
  const auto judged = judge(order_for(2, 2), nodes, {}, false);
  std::vector<std::string> rows;
  for (const auto& table : summarize(judged)) {
    if (table.title != "all nodes together") continue;
    for (const auto& row : table.rows) {
      if (row.judged) continue;
      rows.push_back(row.name + " " + figure_text(*row.value) + " " + row.unit);
    }
  }
  const std::string of = std::string(name) + " ";
  CHECK(rows == std::vector<std::string>{of + "compute 90.0 %", of + "input 2 %", of + "communication 8 %",
                                         of + "of the peak 10.0 %", of + "scaling efficiency 97.0 %",
                                         of + "memory 12.5 GB", of + "variation 0.4 %",
                                         of + "slowest rank 1.02 of the median, rank 3 on n2"});
  const auto page = trainings_html(judged);
  CHECK(page.find("<th class=\"n\">of the peak</th>") != std::string::npos);
  CHECK(page.find("<td class=\"n\">1.02 of the median, rank 3 on n2</td>") != std::string::npos);
}

TEST_CASE("a batch that does not fit is one node's error, not also a missing result of the nodes that ended with it") {
  auto nodes = two_nodes({6150, 6160, 6170, 6155});
  auto& said = nodes[0].steps[1];
  auto& refused = said.reports[0].figures[0];
  refused.value.reset();
  refused.verdict = Verdict::error;
  refused.reason = "out_of_memory: a step of --batch-size 64 needs 9 bytes of GPU memory, and 8 are free";
  said.reports[0].figures.resize(1);
  said.reports[0].result = Verdict::error;
  for (auto& node : nodes) node.steps[1].exit_code = 4;
  const auto judged = judge(order_for(2, 2), nodes, {}, false);
  CHECK(judged.verdict == Verdict::error);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].what.find("out_of_memory") != std::string::npos);
}

TEST_CASE("a training without a known peak or without a report shows no invented figures") {
  JudgedFigure judged;
  judged.figure = of_all(name, 24000, "samples/s");
  judged.figure.params = {{"precision", "bf16"}, {"model_tflops_per_rank", 100.0}, {"shares", nullptr}};
  judged.subject.model = "a GPU of tomorrow";
  CHECK(!share_of_peak(judged));
  CHECK(training_details(judged).empty());
  judged.subject.model = "NVIDIA H100 80GB HBM3";
  CHECK(*share_of_peak(judged) == doctest::Approx(100 / 989.5));
  judged.figure.params["precision"] = "tf32";
  CHECK(*share_of_peak(judged) == doctest::Approx(100 / 494.5));
  judged.figure.suite = "gemm";
  CHECK(!share_of_peak(judged));
}

TEST_CASE("the page lists the findings and the curves of a model under that model only") {
  auto order = order_for(2, 2);
  order.suites = {Suite::collective, Suite::resnet50};
  auto nodes = two_nodes({6150, 6160, 6170, 6155});
  auto slow = of_all("work per step", 10, "ms");
  slow.suite = "straggler";
  slow.verdict = Verdict::fail;
  slow.rank = 3;
  slow.reason = "rank 3 took 9 ms for the same work";
  nodes[0].steps[1].reports[0].figures.push_back(slow);
  const auto judged = judge(order, nodes, {}, false);
  const auto grid = node_grid_html(order, judged);
  CHECK(grid.find("gpu 1: fail") != std::string::npos);
  CHECK(grid.find("gpu 1: fail") == grid.rfind("gpu 1: fail"));
  CHECK(trainings_html(judged).find("<h3>resnet50 bf16 batch 64</h3>") != std::string::npos);
}

}  // namespace
}  // namespace rv::accept
