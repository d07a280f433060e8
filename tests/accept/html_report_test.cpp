#include "accept/html_report.h"

#include <doctest/doctest.h>

#include "accept/svg_chart.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++times;
  return times;
}

TEST_CASE("the page stands alone, names the finding and draws a bar for each GPU") {
  const auto judged = judge(compute_order(), {four_gpus({690, 695, 350, 700})}, {}, false);
  const auto html = html_report(compute_order(), judged, "abc123", std::chrono::sys_seconds{});
  CHECK(html.starts_with("<!doctype html>"));
  CHECK(html.find("<span class=\"verdict fail\">fail</span>") != std::string::npos);
  CHECK(html.find("n1 gpu 2 (GPU-2)") != std::string::npos);
  CHECK(count(html, "<rect class=\"good\"") == 4);  // three GPUs and one link
  CHECK(count(html, "<rect class=\"bad\"") == 1);
  for (const char* const outside : {"http://", "https://", "<script", "<link", "@import", "url("}) {
    CHECK_MESSAGE(html.find(outside) == std::string::npos, outside);
  }
}

TEST_CASE("what a report says is text, whatever is in it") {
  auto evidence = four_gpus({690, 695, 700, 692});
  auto& figure = evidence.steps[0].reports[0].figures[0];
  figure.verdict = Verdict::fail;
  figure.reason = "<img src=x onerror=alert(1)>";
  const auto html = html_report(compute_order(), judge(compute_order(), {evidence}, {}, false), "a<b", {});
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find("&lt;img src=x") != std::string::npos);
  CHECK(html.find("Acceptance a&lt;b") != std::string::npos);
}

TEST_CASE("charts: a line per curve, a cell per pair, nothing for nothing") {
  const auto curves =
      curves_svg({{"all_reduce", {{8, 0.1}, {1024, 5}, {1 << 20, 90}}}, {"broadcast", {{8, 0.2}}}}, "GB/s");
  CHECK(count(curves, "<polyline") == 2);
  CHECK(count(curves, "<circle") == 4);
  CHECK(curves.find("all_reduce 1M: 90.0 GB/s") != std::string::npos);
  CHECK(curves_svg({}, "GB/s").empty());
  CHECK(count(heat_map_svg({{std::nullopt, 10.0}, {20.0, std::nullopt}}, "GB/s"), "class=\"cell\"") == 2);
  CHECK(count(bars_svg({{"n1", 1, true}}, "GB/s", 2.0), "class=\"reference\"") == 1);
}

}  // namespace
}  // namespace rv::accept
