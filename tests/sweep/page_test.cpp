#include "reports/sweep/page.h"

#include <doctest/doctest.h>

#include "tests/sweep/sweep_builder.h"

namespace rv::sweep {
namespace {

Order envs() {
  return order_over({{"envs", {"1024", "2048"}}});
}

std::string section(const std::string& page, const std::string& title) {
  const auto from = page.find(">" + title + "</h2>");
  return from == std::string::npos ? "" : page.substr(from, page.find("</section>", from) - from);
}

TEST_CASE("a gain of 37 % a doubling is rising, not a plateau") {
  const std::vector<PointResult> results{ran(1024, 100), ran(2048, 137), ran(4096, 188), ran(8192, 190)};
  std::vector<std::string> regions;
  const auto curves = curves_of(envs(), results);
  for (const auto& point : curves.at(0).points) regions.emplace_back(to_string(point.region.value()));
  CHECK(regions == std::vector<std::string>{"rising", "rising", "rising", "plateau"});
}

TEST_CASE("the chart of VRAM names what it shows, and joins no point that ran out of memory to the curve") {
  auto out = ended(4096, EndKind::gpu_out_of_memory, "CUDA out of memory");
  out.samples.figures = {{"peak_vram_mib", 81'000}};
  const Sweep sweep{envs(), {ran(1024, 100, 20'000), ran(2048, 190, 40'000), out}};
  const auto vram = section(page(sweep, {}, "", "ann"), "VRAM, the highest of one GPU");
  REQUIRE(!vram.empty());
  CHECK(vram.find("VRAM</text>") != std::string::npos);
  CHECK(vram.find(sweep.order.throughput) == std::string::npos);
  CHECK(vram.find("81,000") == std::string::npos);
  CHECK(vram.find("OOM") != std::string::npos);
}

TEST_CASE("a sweep on CPUs has no parts about GPUs, and folds what it did not answer") {
  const Sweep sweep{envs(), {ran(1024, 100), ran(2048, 190)}};
  const auto html = page(sweep, {}, "", "ann");
  CHECK(section(html, "VRAM, the highest of one GPU").empty());
  CHECK(section(html, "Points").find("VRAM") == std::string::npos);
  CHECK(section(html, "Points").find("°C") == std::string::npos);
  const auto answers = section(html, "Answers");
  CHECK(answers.find("not answered by this sweep") != std::string::npos);
  CHECK(answers.find("<details") < answers.find("class=\"unknown\""));
}

}  // namespace
}  // namespace rv::sweep
