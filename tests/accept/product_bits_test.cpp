#include "reports/accept/product_bits.h"

#include <doctest/doctest.h>

#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

/// A node whose GPUs computed these checksums of one product; UUIDs are NODE-0, NODE-1, ….
NodeEvidence node_with(const std::string& node, const std::vector<std::string>& checksums,
                       const std::string& cublas = "13.1.0") {
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < checksums.size(); ++i) {
    auto figure = gpu_figure(static_cast<int>(i), "exact_bf16", 0, "");
    figure.suite = "exact";
    figure.gpu_uuid = node + "-" + std::to_string(i);
    figure.value.reset();
    figure.params = {{"type", "bf16"}, {"n", 8192}, {"repeats", 3}, {"checksum", checksums[i]}};
    figures.push_back(figure);
  }
  NodeEvidence evidence;
  evidence.node = node;
  auto environment = gpus_environment(static_cast<int>(checksums.size()));
  environment["cuda_driver"] = "13.0";
  environment["cublaslt"] = cublas;
  evidence.steps.push_back(step_done("compute", figures, environment));
  return evidence;
}

std::vector<std::string> named(const std::vector<Finding>& findings) {
  std::vector<std::string> uuids;
  for (const auto& finding : findings) uuids.push_back(finding.subject.gpu_uuid);
  return uuids;
}

using Uuids = std::vector<std::string>;

TEST_CASE("the GPU whose product differs in bits from that of most GPUs of all nodes is named") {
  CHECK(find_other_bits(bits_of({node_with("n1", {"aa", "aa"}), node_with("n2", {"aa", "aa"})}), {}).empty());
  const auto findings = find_other_bits(bits_of({node_with("n1", {"aa", "aa"}), node_with("n2", {"aa", "bb"})}), {});
  CHECK(named(findings) == Uuids{"n2-1"});
  CHECK(findings[0].verdict == Verdict::fail);
  CHECK(
      findings[0].what ==
      "its product (bf16 n 8192, NVIDIA H200, CUDA driver 13.0, cuBLASLt 13.1.0) differs in bits from that of 3 GPUs, "
      "earlier acceptance tests included");
}

TEST_CASE("another version of the library may have other bits, and a failed repeat does not vote") {
  CHECK(find_other_bits(bits_of({node_with("n1", {"aa", "aa"}), node_with("n2", {"bb", "bb"}, "13.2.0")}), {}).empty());
  auto node = node_with("n1", {"aa", "bb"});
  node.steps[0].reports[0].figures[1].verdict = Verdict::fail;
  CHECK(bits_of({node}).size() == 1);
  CHECK(find_other_bits(bits_of({node}), {}).empty());
}

TEST_CASE("earlier acceptances vote, each GPU once, and the run that is judged again does not vote against itself") {
  std::vector<GpuRecord> records;
  for (const auto* const uuid : {"n1-0", "n7-0", "n7-0"}) {
    GpuRecord record;
    record.run = records.empty() ? "monday" : "r" + std::to_string(records.size());
    record.uuid = uuid;
    records.push_back(record);
  }
  for (auto& record : records) add_bits(records, {{"n", record.uuid, 0, "", "p", "aa"}});
  CHECK(known_bits(records, "").at("p").at("aa") == std::set<std::string>{"n1-0", "n7-0"});
  CHECK(known_bits(records, "monday").at("p").at("aa") == std::set<std::string>{"n7-0"});
  const ProductBits now{"n1", "n1-0", 0, "", "p", "bb"};
  CHECK(named(find_other_bits({now}, known_bits(records, "monday"))) == Uuids{"n1-0"});
  CHECK(find_other_bits({{"n1", "n1-0", 0, "", "p", "aa"}}, known_bits(records, "monday")).empty());
}

TEST_CASE("without a checksum that most GPUs have, all GPUs of the product are named") {
  CHECK(named(find_other_bits(bits_of({node_with("n1", {"aa"}), node_with("n2", {"bb"})}), {})) ==
        Uuids{"n1-0", "n2-0"});
}

TEST_CASE("bits survive the way through a history file, and lines without them are read") {
  GpuRecord record;
  record.uuid = "GPU-a";
  record.bits = {{"bf16 n 8192", "aa"}};
  CHECK(record_from_line(to_line(record))->bits == record.bits);
  record.bits.clear();
  CHECK(to_line(record).find("bits") == std::string::npos);
  CHECK(record_from_line(to_line(record))->bits.empty());
}

TEST_CASE("the judgement fails for other bits") {
  Order order{.nodes = 2, .gpus_per_node = 2, .full = false, .device = "auto", .suites = {Suite::compute}};
  const std::vector<NodeEvidence> nodes = {node_with("n1", {"aa", "aa"}), node_with("n2", {"aa", "bb"})};
  const auto judged = judge(order, nodes, {}, false);
  CHECK(std::any_of(judged.findings.begin(), judged.findings.end(), [](const Finding& one) {
    return one.subject.gpu_uuid == "n2-1" && one.what.find("bits") != one.what.npos;
  }));
  const auto alone = judge(order, {node_with("n1", {"aa"})}, {}, false,
                           {{"bf16 n 8192, NVIDIA H200, CUDA driver 13.0, cuBLASLt 13.1.0", {{"cc", {"x", "y"}}}}});
  CHECK(std::any_of(alone.findings.begin(), alone.findings.end(),
                    [](const Finding& one) { return one.subject.gpu_uuid == "n1-0"; }));
}

}  // namespace
}  // namespace rv::accept
