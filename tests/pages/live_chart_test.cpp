#include "reports/pages/live_chart.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "reports/pages/page.h"

namespace rv::pages {
namespace {

LineChart bandwidth() {
  LineChart chart{
      .x_name = "bytes", .unit = "GB/s", .doubling = true, .dots = true, .log_y = true, .axis = Axis::bytes};
  chart.lines = {{.name = "all_reduce", .points = {{1 << 20, 92}, {1 << 21, 0}, {1 << 28, 341}}},
                 {.name = "", .points = {{1 << 20, 100}, {1 << 28, 350}}, .baseline_of = 0}};
  return chart;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++times;
  return times;
}

TEST_CASE("each x has a row, with an empty cell where a line has no value") {
  const auto json = nlohmann::json::parse(chart_json(bandwidth()));
  CHECK(json["rows"] == nlohmann::json::parse("[[1048576,92,100],[2097152,0,null],[268435456,341,350]]"));
  CHECK(json["lines"][1]["of"] == 0);
  CHECK(json["logy"] == true);
  CHECK(json["axis"] == "bytes");
}

TEST_CASE("a name can't end the script that contains it") {
  auto chart = bandwidth();
  chart.lines[0].name = "</script><script>alert(1)</script>";
  const auto html = live_chart(chart);
  CHECK(count(html, "</script>") == 1);
  CHECK(nlohmann::json::parse(chart_json(chart))["lines"][0]["name"] == chart.lines[0].name);
}

TEST_CASE("on a logarithmic axis what is 0 has no place; a baseline is a line of dashes without dots") {
  const auto svg = line_chart_svg(bandwidth());
  CHECK(count(svg, "<circle") == 2);
  CHECK(count(svg, "class=\"base c0\"") == 1);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK(svg.find("256M: 341 GB/s") != std::string::npos);
  CHECK(live_chart({}).empty());
}

TEST_CASE("a page marks unknown figures, and loads nothing") {
  Page page("a<b", "");
  page.heading("x");
  page.section("First", "<p>1</p>");
  page.section("None", "");
  page.section("Second", live_chart(bandwidth()));
  const auto html =
      page.html({.host = "n1", .driver = "", .versions = "rv", .duration = "1s", .who = "me", .when = "now"});
  CHECK(html.find("<title>a&lt;b</title>") != std::string::npos);
  CHECK(count(html, "<dd class=\"unknown\">not known</dd>") == 1);
  CHECK(count(html, "<li><a href=") == 2);
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("sourceMappingURL") == std::string::npos);
  // The library is included with its licence, only on pages with a chart.
  CHECK(count(html, "Permission is hereby granted") == (charts_move() ? 1 : 0));
  Page plain("t", "");
  plain.section("First", "<p>1</p>");
  CHECK(count(plain.html({}), "<script") == 0);
}

}  // namespace
}  // namespace rv::pages
