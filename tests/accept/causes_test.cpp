#include "reports/accept/causes.h"

#include <doctest/doctest.h>

#include "reports/accept/advice.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

// The result of advice_for() for a figure of this suite.
std::string advice(const char* suite) {
  static std::vector<Baseline> none;
  auto evidence = four_gpus({1, 1, 1, 1});
  auto& figure = evidence.steps[0].reports[0].figures[0];
  figure.suite = suite;
  figure.verdict = Verdict::fail;
  figure.reason = "slow";
  return judge(compute_order(), {evidence}, none, false).findings.at(0).advice;
}

Finding found(int gpu, const char* suite, Verdict verdict = Verdict::fail, const std::string& node = "n1") {
  return {.verdict = verdict,
          .subject = {.node = node, .gpu_index = gpu, .gpu_uuid = "GPU-" + node + std::to_string(gpu), .model = ""},
          .rank = std::nullopt,
          .what = suite,
          .advice = advice(suite)};
}

TEST_CASE("a worker's advice is used unchanged") {
  auto evidence = four_gpus({1, 1, 1, 1});
  auto& figure = evidence.steps[0].reports[0].figures[0];
  figure.suite = "storage";
  figure.verdict = Verdict::error;
  figure.reason = "the scratch folder /s has 6M free; free some space there";
  figure.params["advice"] = "free some space there";
  const auto finding = judge(compute_order(), {evidence}, {}, false).findings.at(0);
  CHECK(finding.advice == "free some space there");
  CHECK(finding.what.ends_with("the scratch folder /s has 6M free"));
}

TEST_CASE("one slow GPU that every suite finds is one cause, with the advice nearest to it") {
  const std::vector<Finding> findings{found(2, "collective"), found(2, "gemm"), found(2, "gemm"),
                                      found(2, "bandwidth"),  found(1, "link"), found(2, "memory")};
  const auto causes = causes_of(findings);
  REQUIRE(causes.size() == 2);
  CHECK(causes[0].title == "n1 gpu 2 (GPU-n12)");
  CHECK(causes[0].findings.size() == 5);
  CHECK(causes[0].findings[0]->what == "memory");
  CHECK(causes[0].advice == advice("memory"));
  CHECK(causes[1].title == "n1 gpu 1 (GPU-n11)");
}

TEST_CASE("the same fault at many GPUs is one cause") {
  std::vector<Finding> findings;
  for (const char* node : {"n1", "n2"}) {
    for (int gpu = 0; gpu < 4; ++gpu) findings.push_back(found(gpu, "gemm", Verdict::fail, node));
  }
  findings.push_back(found(3, "link", Verdict::skip));
  const auto causes = causes_of(findings);
  REQUIRE(causes.size() == 2);
  CHECK(causes[0].title == "8 GPUs on 2 nodes");
  CHECK(causes[0].findings.size() == 8);
  CHECK(causes[1].verdict == Verdict::skip);
  CHECK(causes_of({}).empty());
}

// Seen on two H200, with products of another process on GPU 1.
TEST_CASE("another process on a GPU explains slow copies and collectives of its node") {
  const auto of_node = [](const char* suite, const char* node) {
    auto finding = found(0, suite);
    finding.subject = {.node = node, .gpu_index = std::nullopt, .gpu_uuid = "", .model = ""};
    return finding;
  };
  std::vector<Finding> findings{found(1, "gemm"), found(1, "gemm")};
  Figure leftovers;
  leftovers.suite = "health";
  leftovers.name = "leftovers";
  findings.push_back(found(1, "leftovers"));
  findings.back().advice = advice_for(leftovers);
  for (int i = 0; i < 9; ++i) findings.push_back(of_node("collective", "n1"));
  findings.push_back(of_node("p2p", "n1"));
  const auto causes = causes_of(findings);
  REQUIRE(causes.size() == 1);
  CHECK(causes[0].title == "n1 gpu 1 (GPU-n11)");
  CHECK(causes[0].findings.size() == 13);
  CHECK(causes[0].findings[0]->what == "leftovers");
  CHECK(causes[0].advice.starts_with("end the processes"));

  SUBCASE("not on another node, of another GPU, or where the results are wrong") {
    findings.push_back(of_node("p2p", "n2"));
    findings.push_back(found(0, "straggler"));
    findings.push_back(of_node("ddp", "n1"));
    CHECK(causes_of(findings).size() == 4);
  }
  SUBCASE("what was skipped does not explain a failure") {
    findings[2].verdict = Verdict::skip;
    findings.erase(findings.begin(), findings.begin() + 2);
    CHECK(causes_of(findings).size() == 2);
  }
}

TEST_CASE("failures come before skipped steps") {
  const std::vector<Finding> findings{found(0, "link", Verdict::skip), found(1, "link", Verdict::skip),
                                      found(2, "gemm")};
  const auto causes = causes_of(findings);
  REQUIRE(causes.size() == 2);
  CHECK(causes[0].verdict == Verdict::fail);
  CHECK(causes[1].findings.size() == 2);
}

}  // namespace
}  // namespace rv::accept
