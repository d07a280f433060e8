#include "reports/accept/baseline.h"

#include <doctest/doctest.h>

#include <functional>

namespace rv::accept {
namespace {

Baseline of(const std::string& figure, double value, const std::string& unit = "GB/s") {
  Baseline baseline;
  baseline.key.gpu = "NVIDIA H200";
  baseline.key.figure = figure;
  baseline.value = value;
  baseline.unit = unit;
  return baseline;
}

TEST_CASE("a figure is compared with nothing but its equal") {
  auto reduce = of("all_reduce", 330);
  reduce.key.gpus = 4;
  reduce.key.fabric = "nvlink";
  reduce.key.type = "fp32";
  reduce.key.bytes = 128U << 20;
  const std::vector<Baseline> known = {of("copy", 4200), reduce};
  auto key = reduce.key;
  CHECK(find_baseline(known, key) == &known[1]);
  for (const auto& change : std::vector<std::function<void(FigureKey&)>>{
           [](auto& k) { k.gpus = 8; }, [](auto& k) { k.nodes = 2; }, [](auto& k) { k.fabric = ""; },
           [](auto& k) { k.type = "bf16"; }, [](auto& k) { k.bytes = 1 << 20; }, [](auto& k) { k.in_place = true; },
           [](auto& k) { k.gpu = "NVIDIA H100"; }, [](auto& k) { k.figure = "all_gather"; }}) {
    key = reduce.key;
    change(key);
    CHECK(find_baseline(known, key) == nullptr);
  }
}

TEST_CASE("the site's own wins over the built-in one, and a measured one over a published one") {
  auto published = of("copy", 5000);
  published.published = true;
  const std::vector<Baseline> known = {of("copy", 4200), of("copy", 4100), published};
  CHECK(find_baseline(known, known[0].key) == &known[1]);
}

TEST_CASE("times are better when small") {
  CHECK(ratio_to(of("copy", 100), 90) == doctest::Approx(0.9));
  CHECK(ratio_to(of("h2d_latency", 5, "us"), 10) == doctest::Approx(0.5));
}

TEST_CASE("the key of a collective contains ranks, type and size") {
  Figure figure;
  figure.name = "all_reduce fp32 8 in";
  figure.all_ranks = true;
  figure.params = {{"collective", "all_reduce"}, {"type", "fp32"}, {"bytes", 8U}, {"in_place", true}};
  const auto key = key_of(figure, "NVIDIA H200", 8, 2, "network");
  CHECK(key.figure == "all_reduce");
  CHECK(key.gpus == 8);
  CHECK(key.nodes == 2);
  CHECK(key.fabric == "network");
  CHECK(key.bytes == 8);
  CHECK(key.in_place);
  figure.all_ranks = false;
  CHECK(key_of(figure, "NVIDIA H200", 8, 2, "network").gpus == 1);
}

}  // namespace
}  // namespace rv::accept
