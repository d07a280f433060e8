#include "reports/sweep/answers.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "reports/sweep/combined_csv.h"
#include "reports/sweep/comparison.h"
#include "sweep_builder.h"

namespace rv::sweep {
namespace {

Order envs() {
  return order_over({{"envs", {"1024", "2048"}}});
}

std::vector<Answer> answers_of(const std::vector<PointResult>& results) {
  const auto curves = curves_of(envs(), results);
  return answer(envs(), curves.at(0), machine_of(results), {});
}

}  // namespace

TEST_CASE("each point's region: linear, plateau, decline") {
  const auto results = projected();
  const auto curves = curves_of(envs(), results);
  REQUIRE(curves.size() == 1);
  std::vector<std::string> regions;
  for (const auto& point : curves[0].points) {
    regions.emplace_back(point.region ? to_string(*point.region) : "none");
  }
  CHECK(regions == std::vector<std::string>{"linear", "linear", "linear", "linear", "plateau", "decline", "none"});
}

TEST_CASE("the six answers of the projected curve, each with its evidence") {
  const auto answers = answers_of(projected());
  REQUIRE(answers.size() == 6);
  CHECK(answers[0].answer == "envs 32,768");
  CHECK(answers[0].evidence == "envs 32,768 ran, 90,000 MiB of VRAM at most; envs 65,536 did not: CUDA out of memory");
  CHECK(answers[1].answer == "envs 16,384");
  CHECK(answers[1].evidence == "71,500 steps/s; envs 8,192 is the smallest within 3 % of it, with 70,000 steps/s");
  CHECK(answers[2].answer == "not measured");
  CHECK(answers[3].answer == "not measured");
  CHECK(answers[4].answer == "not measured");
  CHECK(!answers[4].measured);
  CHECK(answers[5].answer == "envs 8,192");
  CHECK(answers[5].evidence ==
        "the smallest within 3 % of the highest throughput: 98 % of it, 70,000 steps/s, 35 % of the VRAM");
}

TEST_CASE("without measurements there are no answers") {
  for (const auto& one : answers_of({ended(1024, EndKind::failed), ended(2048, EndKind::killed)})) {
    CAPTURE(one.question);
    CHECK(!one.measured);
    CHECK(one.answer == "not measured");
    CHECK(!one.evidence.empty());
  }
}

TEST_CASE("without an end for memory the largest is a bound, and never the answer") {
  CHECK(answers_of({ran(1024, 10), ran(2048, 20)})[0].answer == "at least envs 2,048");
  CHECK(answers_of({ran(1024, 10), ended(2048, EndKind::killed)})[0].answer == "at least envs 1,024");
  CHECK(answers_of({ended(1024, EndKind::host_out_of_memory)})[0].answer == "fewer than envs 1,024");
}

TEST_CASE("throttling is reported with its reasons, and power alone is not heat") {
  auto hot = ran(1024, 10), cool = ran(2048, 20);
  hot.samples.figures = {{"peak_gpu_temp", 87}, {"least_clock_sm_mhz", 900}, {"median_clock_sm_mhz", 1700}};
  hot.samples.throttled_s = {{{"software_power_cap", 20}, {"idle", 30}}};
  CHECK(answers_of({hot})[4].answer == "no");
  CHECK(answers_of({hot})[4].evidence ==
        "software_power_cap 20 s in 60 s; at most 87 °C; SM clock: median 1700 MHz, minimum 900");
  cool.samples.throttled_s = {{{"hardware_thermal", 12}}};
  CHECK(answers_of({hot, cool})[4].answer == "yes, for 12 s");
}

TEST_CASE("repeats count together: the median, and all of them must have run") {
  auto second = ran(1024, 30), third = ended(1024, EndKind::gpu_out_of_memory);
  second.point.repeat = 2;
  third.point.repeat = 3;
  const std::vector<PointResult> two = {ran(1024, 10), second};
  CHECK(curves_of(envs(), two)[0].points[0].throughput == 20);
  const std::vector<PointResult> three = {ran(512, 5), ran(1024, 10), second, third};
  CHECK(largest_that_ran(curves_of(envs(), three)[0])->x == 512);
}

TEST_CASE("a second machine answers the third and the fourth question") {
  auto small = std::vector<PointResult>{ran(1024, 4'000), ran(2048, 6'500), ended(4096, EndKind::gpu_out_of_memory)};
  for (auto& one : small) one.gpus = {"NVIDIA RTX 2000 Ada"};
  const Sweep first{envs(), projected()}, second{envs(), small};
  const auto comparison = compare(first, second);
  const auto& answers = comparison.curves.at(0).answers;
  CHECK(answers[2].question == "The envs at which NVIDIA RTX 2000 Ada runs out of memory");
  CHECK(answers[2].answer == "envs 4,096");
  CHECK(answers[3].answer == "3.00 times");
  CHECK(answers[3].evidence == "at envs 2,048, the largest that ran on both: 19,500 steps/s and 6,500 steps/s");
  CHECK(to_json(comparison)["curves"][0]["points"][0]["speed_up"] == 2.5);
  CHECK(to_json(comparison)["curves"][0]["points"][3]["second"].is_null());
  CHECK_THROWS_AS(compare(first, {order_over({{"batch", {"1"}}}), small}), Error);
}

TEST_CASE("the combined table has the seed's header first") {
  auto results = projected();
  results.push_back(ended(131'072, EndKind::killed));
  results[0].metrics["iteration_s"].values = {1.5};
  const auto csv = combined_csv(envs(), results, curves_of(envs(), results));
  CHECK(
      csv.starts_with("envs,steps_per_sec,iter_time_s,training_time_s,peak_gpu_util,peak_vram_mib,peak_gpu_temp,"
                      "peak_gpu_power,peak_cpu_util,peak_ram_mib,oom,"));
  CHECK(csv.find("\n1024,10000,1.5,,,6000,,,,,NO,1,done,0,60,10000,linear,") != std::string::npos);
  CHECK(csv.find("\n65536,,,,,,,,,,YES,1,gpu-out-of-memory,1,60,,,") != std::string::npos);
  CHECK(csv.find("\n131072,,,,,,,,,,,1,killed,") != std::string::npos);  // killed and nobody knows: neither yes nor no
}

TEST_CASE("a result comes back from its file as it was") {
  auto result = projected()[0];
  result.samples.throttled_s = {{{"idle", 3}}};
  result.samples.missing = {{"gpu", 5, std::nullopt, "gone"}, {"cgroup", 6, 7, ""}};
  const auto document = to_json(result);
  CHECK(to_json(point_result_from_json(document)) == document);
  result.samples.throttled_s.reset();
  CHECK(!point_result_from_json(to_json(result)).samples.throttled_s);
  CHECK(summary_text(result).find("end=done\n") != std::string::npos);
}

}  // namespace rv::sweep
