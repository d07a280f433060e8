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

}  // namespace
}  // namespace rv::accept
