#include "reports/accept/causes.h"

#include <doctest/doctest.h>

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
