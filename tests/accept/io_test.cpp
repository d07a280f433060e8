// The suite io: what it orders, and how its figures are judged.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "reports/accept/baseline_yaml.h"
#include "reports/accept/judgement.h"
#include "reports/accept/summary.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

Order io_order(int nodes) {
  return {.nodes = nodes,
          .gpus_per_node = 1,
          .full = false,
          .device = "auto",
          .suites = {Suite::io},
          .io = {.size = "64M", .folders = {"scratch=/s", "home=/h x"}, .patience_s = 40}};
}

Figure written(int rank, double speed) {
  Figure figure;
  figure.suite = "storage";
  figure.name = "scratch write";
  figure.model = "lustre";
  figure.value = speed;
  figure.unit = "GB/s";
  figure.params = nlohmann::ordered_json::object();
  figure.verdict = Verdict::pass;
  figure.rank = rank;
  return figure;
}

/// What rank 0's node reports for all; the others' have nothing.
std::vector<NodeEvidence> nodes_with(const std::vector<double>& speeds, std::vector<Figure> more = {}) {
  std::vector<NodeEvidence> nodes;
  auto environment = nlohmann::ordered_json{{"kind", "environment"}, {"ranks", nlohmann::ordered_json::array()}};
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const auto rank = static_cast<int>(i);
    const auto host = "n" + std::to_string(i);
    environment["ranks"].push_back({{"rank", rank}, {"host", host}, {"gpu", nullptr}, {"uuid", ""}, {"model", ""}});
    figures.push_back(written(rank, speeds[i]));
    nodes.push_back({.node = host, .steps = {step_done("io-all-nodes", {})}});
    nodes.back().steps[0].reports.clear();
  }
  figures.insert(figures.end(), more.begin(), more.end());
  nodes[0].steps[0] = step_done("io-all-nodes", figures, environment);
  return nodes;
}

TEST_CASE("one step for all nodes, with the folders and the size; the order is read back") {
  const auto alone = steps_of(io_order(1)), together = steps_of(io_order(3));
  REQUIRE(alone.size() == 1);
  REQUIRE(together.size() == 1);
  CHECK(alone[0].name == "io");
  CHECK_FALSE(alone[0].together);
  CHECK(together[0].name == "io-all-nodes");
  CHECK(together[0].together);
  CHECK(together[0].worker == "rv-io");
  std::string words;
  for (const auto& word : together[0].arguments) words += word + "|";
  CHECK(words.find("--folder|scratch=/s|--folder|home=/h x|--size|64M|--patience|40|") != std::string::npos);
  CHECK(to_json(order_from_json(to_json(io_order(2)))) == to_json(io_order(2)));
  CHECK_FALSE(needs_gpus(Suite::io));
}

TEST_CASE("a figure of one rank is its node's; half as fast as three others is named, among three nothing is") {
  const auto judged = judge(io_order(4), nodes_with({2.0, 1.9, 0.8, 2.1}), {}, false);
  CHECK(judged.verdict == Verdict::fail);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].subject.node == "n2");
  CHECK(judged.findings[0].advice.find("mount") != std::string::npos);
  CHECK(judge(io_order(4), nodes_with({2.0, 1.9, 1.2, 2.1}), {}, false).verdict == Verdict::pass);
  CHECK(judge(io_order(3), nodes_with({2.0, 1.9, 0.1}), {}, false).verdict == Verdict::pass);
}

TEST_CASE("a baseline applies to one type of file system; half of a saved value passes") {
  const auto good = judge(io_order(2), nodes_with({2.0, 2.0}), {}, false);
  const auto text = baselines_yaml(good, "measured");
  CHECK(text.find("gpu: lustre") != std::string::npos);
  CHECK(text.find("at_least: 0.50") != std::string::npos);
  const auto baselines = parse_baselines(text, "own.yaml");
  CHECK(judge(io_order(2), nodes_with({1.1, 2.0}), baselines, false).verdict == Verdict::pass);
  CHECK(judge(io_order(2), nodes_with({0.9, 2.0}), baselines, false).verdict == Verdict::fail);
  auto other = nodes_with({0.9, 2.0});
  for (auto& figure : other[0].steps[0].reports[0].figures) figure.model = "nfs4";
  CHECK(judge(io_order(2), other, baselines, false).verdict == Verdict::pass);
}

TEST_CASE("a suggested setting has the figure that it follows from") {
  Figure seen;
  seen.suite = "visibility";
  seen.name = "home seen listed";
  seen.all_ranks = true;
  seen.model = "nfs4";
  seen.value = 900;
  seen.unit = "ms";
  seen.params = {{"setting", "visibility_lag: 7s"}, {"setting_why", "seen within 0.9 s"}};
  seen.verdict = Verdict::pass;
  const auto judged = judge(io_order(2), nodes_with({2, 2}, {seen}), {}, false);
  const auto settings = settings_of(judged);
  REQUIRE(settings.size() == 1);
  CHECK(settings[0].line == "visibility_lag: 7s");
  CHECK(settings[0].why == "seen within 0.9 s");
  // Of all nodes, whatever number of GPUs they have.
  CHECK(judged.figures.back().subject.node.empty());
  CHECK(judged.figures.back().key.gpu == "nfs4");
  CHECK(judged.figures.back().key.gpus == 1);
  CHECK(judged.figures.back().key.nodes == 2);
}

TEST_CASE("figures of other programs are shown but not judged") {
  Figure by;
  by.suite = "storage";
  by.name = "scratch write, by fio";
  by.model = "lustre";
  by.rank = 0;
  by.value = 0.1;
  by.unit = "GB/s";
  by.params = {{"by", "fio"}, {"of", "scratch write"}, {"ours", 2.0}, {"ratio", 20.0}};
  by.verdict = Verdict::pass;
  const auto judged = judge(io_order(4), nodes_with({2, 2, 2, 2}, {by}), {}, false);
  CHECK(judged.verdict == Verdict::pass);
  CHECK(beside_others(judged) ==
        std::vector<std::string>{"compared with fio (rv's figure / fio's): scratch write 20.00"});
  CHECK(beside_others(judge(io_order(2), nodes_with({2, 2}), {}, false)).empty());
}

}  // namespace
}  // namespace rv::accept
