#include "reports/accept/baseline_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"

namespace rv::cli {
namespace {

std::string fault_of(const std::string& text) {
  try {
    accept::parse_baselines(text, "b.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("the built-in baselines are whole, and an H200 has them for what one, two and four do") {
  const auto known = accept::baselines_with("");
  CHECK(known.size() > 100);
  for (const auto& one : known) {
    CHECK(one.value > 0);
    CHECK(one.at_least <= 1);
    CHECK_FALSE(one.source.empty());
  }
  for (const int gpus : {1, 2, 4}) {
    CHECK(std::any_of(known.begin(), known.end(),
                      [&](const auto& one) { return one.key.gpu == "NVIDIA H200" && one.key.gpus == gpus; }));
  }
  CHECK(std::any_of(known.begin(), known.end(), [](const auto& one) { return one.published; }));
}

TEST_CASE("figures inherit the keys of their group and may override them") {
  const auto known = accept::parse_baselines(
      "- gpu: A\n  source: us\n  gpus: 4\n  figures:\n    - {figure: f, value: 2, unit: GB/s}\n"
      "    - {figure: g, value: 3, unit: us, gpus: 8, at_least: 0.5}\n- {gpu: B, figure: h, value: 1, unit: x, source: "
      "y}\n",
      "b.yaml");
  REQUIRE(known.size() == 3);
  CHECK(known[0].key.gpus == 4);
  CHECK(known[1].key.gpus == 8);
  CHECK(known[1].at_least == 0.5);
  CHECK(known[2].key.gpu == "B");
  CHECK(accept::parse_baselines("# nothing\n", "b.yaml").empty());
}

TEST_CASE("mistakes name file, line and key") {
  CHECK(fault_of("- {gpu: A, figure: f, value: 1, unit: x}").find("b.yaml:1: a baseline needs source") !=
        std::string::npos);
  CHECK(fault_of("- {gpu: A, figure: f, value: -1, unit: x, source: y}").find("b.yaml:1: value") != std::string::npos);
  CHECK(fault_of("gpu: A").find("expected a list of baselines") != std::string::npos);
  CHECK(fault_of("- {gpu: A, figures: 3}").find("figures: expected a list of baselines") != std::string::npos);
}

TEST_CASE("saved baselines are read back with the measured values") {
  accept::Judgement judgement;
  for (const double value : {690.0, 700.0, 710.0}) {
    accept::JudgedFigure judged;
    judged.figure.suite = "gemm";
    judged.figure.value = value;
    judged.figure.unit = "TFLOP/s";
    judged.key.gpu = "NVIDIA H200";
    judged.key.figure = "gemm_bf16";
    judgement.figures.push_back(judged);
  }
  auto reduce = judgement.figures.front();
  reduce.figure.suite = "collective";
  reduce.figure.value = 330;
  reduce.figure.unit = "GB/s";
  reduce.key = {.gpu = "NVIDIA H200",
                .figure = "all_reduce",
                .gpus = 4,
                .nodes = 2,
                .fabric = "network",
                .type = "fp32",
                .bytes = 134217728,
                .in_place = true};
  judgement.figures.push_back(reduce);
  auto loss = judgement.figures.front();
  loss.figure.suite = "train";
  loss.key.figure = "train";
  judgement.figures.push_back(loss);

  const auto back = accept::parse_baselines(accept::baselines_yaml(judgement, "measured: \"today\""), "b.yaml");
  REQUIRE(back.size() == 2);
  CHECK(back[0].key == judgement.figures[0].key);
  CHECK(back[0].value == 700);
  CHECK(back[0].source == "measured: \"today\"");
  CHECK(back[1].key == reduce.key);
  CHECK(back[1].at_least < back[0].at_least);
}

}  // namespace
}  // namespace rv::cli
