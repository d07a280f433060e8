#include "cli/views/accept_view.h"

#include <doctest/doctest.h>

#include "reports/accept/causes.h"

namespace rv::cli {
namespace {

accept::Finding finding(int gpu, const std::string& what, const std::string& advice, const std::string& node = "n1") {
  return {.verdict = Verdict::fail,
          .subject = {.node = node, .gpu_index = gpu, .gpu_uuid = "GPU-" + std::to_string(gpu), .model = ""},
          .rank = std::nullopt,
          .what = what,
          .advice = advice};
}

const accept::Order on_gpus{
    .nodes = 1, .gpus_per_node = 4, .full = false, .device = "auto", .suites = {accept::Suite::compute}};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("the console groups findings as the page does: one advice a cause") {
  accept::Judgement judgement;
  judgement.verdict = Verdict::fail;
  for (const char* what : {"a", "b", "c", "d", "e"}) judgement.findings.push_back(finding(2, what, what));
  for (int gpu = 0; gpu < 2; ++gpu) judgement.findings.push_back(finding(gpu, "narrow link", "reseat the card"));
  const auto text = judgement_text(on_gpus, judgement, {.width = 100});
  CHECK(accept::causes_of(judgement.findings).size() == 2);
  CHECK(count(text, "→") == 2);
  CHECK(
      text.starts_with("fail  n1 gpu 2 (GPU-2): a\n      b\n      c\n      d\n"
                       "      and 1 more of this cause\n      → a\n"));
  CHECK(text.find("fail  2 GPUs on 1 node: n1 gpu 0 (GPU-0): narrow link\n      n1 gpu 1 (GPU-1): narrow link\n"
                  "      → reseat the card\n") != std::string::npos);
}

TEST_CASE("a single finding is one line and its advice, with its rank") {
  accept::Judgement judgement;
  judgement.findings = {finding(2, "slow", "look at it")};
  judgement.findings[0].rank = 7;
  CHECK(judgement_text(on_gpus, judgement, {.width = 100})
            .starts_with("fail  n1 gpu 2 (GPU-2): rank 7: slow\n      → look at it\n"));
}

accept::JudgedFigure all_reduce(std::uint64_t bytes) {
  accept::JudgedFigure one;
  one.subject.node = "n1";
  one.step = one.figure.suite = "collective";
  one.figure.all_ranks = true;
  one.figure.value = 300;
  one.figure.unit = "GB/s";
  one.figure.params = {{"collective", "all_reduce"}, {"type", "fp32"}, {"bytes", bytes}, {"time_us", 6.5}};
  one.key.figure = "all_reduce";
  one.key.type = "fp32";
  one.key.bytes = bytes;
  one.verdict = Verdict::pass;
  return one;
}

TEST_CASE("below the tables stands what SMALLEST and a missing baseline mean, if a table has them") {
  accept::Judgement judgement;
  judgement.figures = {all_reduce(8), all_reduce(1 << 27)};
  const auto text = judgement_text(on_gpus, judgement, {.width = 100});
  CHECK(count(text, "\nSMALLEST: time of the operation with its smallest size\n") == 1);
  CHECK(count(text, "\nBASELINE -: none is known; ") == 1);
  accept::Baseline known;
  known.value = 300;
  for (auto& one : judgement.figures) one.baseline = &known;
  CHECK(count(judgement_text(on_gpus, judgement, {.width = 100}), "BASELINE -") == 0);
  CHECK(count(judgement_text(on_gpus, {}, {.width = 100}), "SMALLEST") == 0);
}

TEST_CASE("the last line counts GPUs, ranks on CPUs, or only nodes") {
  accept::Judgement judgement;
  judgement.verdict = Verdict::pass;
  judgement.nodes = {"n1"};
  judgement.suites_passed = {"compute"};
  const auto last = [&](const accept::Order& order) { return judgement_text(order, judgement, {.width = 100}); };
  CHECK(last(on_gpus) == "pass: 1 node, 0 GPUs; passed: compute\n");
  auto order = on_gpus;
  order.device = "cpu";
  CHECK(last(order) == "pass: 1 node, 4 ranks on CPUs; passed: compute\n");
  order.device = "auto";
  order.suites = {accept::Suite::io};
  CHECK(last(order) == "pass: 1 node; passed: compute\n");
}

}  // namespace
}  // namespace rv::cli
