#include "reports/accept/gpu_history.h"

#include <doctest/doctest.h>

#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

TimePoint day(int number) {
  return TimePoint(std::chrono::hours(24 * number));
}

GpuRecord record(int on, double value, Verdict verdict = Verdict::pass) {
  return {.time = day(on),
          .run = "r" + std::to_string(on),
          .node = "n1",
          .uuid = "GPU-a",
          .model = "NVIDIA H200",
          .verdict = verdict,
          .figures = {{"gemm_bf16", value}},
          .units = {{"gemm_bf16", "TFLOP/s"}}};
}

TEST_CASE("a GPU that gets slower shows its slope and its first bad run") {
  const auto trends = trends_of({record(60, 560), record(0, 700), record(30, 690), record(90, 550)});
  REQUIRE(trends.size() == 1);
  CHECK(trends[0].runs == 4);
  CHECK(trends[0].first == 700);
  CHECK(trends[0].last == 550);
  // Least squares over days 0, 30, 60, 90: -58 per 30 days, of the median 625.
  CHECK(trends[0].percent_per_30_days.value() == doctest::Approx(-58.0 / 625 * 100));
  CHECK(trends[0].first_bad == day(60));
  CHECK(trends[0].first_bad_run == "r60");
}

TEST_CASE("a healthy GPU has no bad run, a failed verdict is one, and two runs are no trend") {
  const auto good = trends_of({record(0, 700), record(30, 690), record(60, 695)});
  CHECK_FALSE(good[0].first_bad.has_value());
  const auto two = trends_of({record(0, 700), record(30, 700, Verdict::fail)});
  CHECK_FALSE(two[0].percent_per_30_days.has_value());
  CHECK(two[0].first_bad == day(30));
}

TEST_CASE("a record is a line that can be read back; a torn line is ignored") {
  const auto line = to_line(record(3, 690.5, Verdict::fail));
  CHECK(line.back() == '\n');
  const auto back = record_from_line(line);
  REQUIRE(back.has_value());
  CHECK(to_line(*back) == line);
  CHECK_FALSE(record_from_line(line.substr(0, line.size() / 2)).has_value());
  CHECK_FALSE(record_from_line("{}").has_value());
}

TEST_CASE("an acceptance gives one record per GPU, with that GPU's own verdict") {
  const auto judged = judge(compute_order(), {four_gpus({690, 695, 350, 700})}, {}, false);
  const auto records = records_of(judged, day(1), "run1");
  REQUIRE(records.size() == 4);
  CHECK(records[0].verdict == Verdict::pass);
  CHECK(records[2].verdict == Verdict::fail);
  CHECK(records[2].figures.at("gemm_bf16") == 350);
  CHECK(records[0].figures.at("h2d") == 55);
}

TEST_CASE("a figure is compared with the median of three or more earlier ones of the same GPU") {
  const std::vector<GpuRecord> earlier = {record(0, 700), record(1, 690), record(2, 710),
                                          record(3, 300, Verdict::fail)};
  CHECK(find_drops({record(9, 600)}, earlier).empty());
  const auto drops = find_drops({record(9, 550)}, earlier);
  REQUIRE(drops.size() == 1);
  CHECK(drops[0].verdict == Verdict::fail);
  CHECK(drops[0].subject.node == "n1");
  CHECK(drops[0].what == "gemm_bf16 550 TFLOP/s is 0.79 of this GPU's own median of 3 acceptances");
  CHECK(find_drops({record(9, 550)}, {earlier[0], earlier[1], earlier[3]}).empty());
  auto other = record(9, 550);
  other.uuid = "GPU-b";
  CHECK(find_drops({other}, earlier).empty());
}

TEST_CASE("a time that grows is a drop") {
  const auto of = [](int on, double value) {
    auto one = record(on, value);
    one.units["gemm_bf16"] = "us";
    return one;
  };
  const std::vector<GpuRecord> earlier = {of(0, 10), of(1, 10), of(2, 10)};
  CHECK(find_drops({of(9, 13)}, earlier).size() == 1);
  CHECK(find_drops({of(9, 5)}, earlier).empty());
}

}  // namespace
}  // namespace rv::accept
