#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "reports/stress/document.h"
#include "reports/stress/junit.h"
#include "reports/stress/page.h"
#include "tests/stress/stress_builder.h"

namespace rv::stress {
namespace {

Judgement some(int killed, int of) {
  auto lines = environment_line(of, 1, true);
  for (int i = 0; i < of - killed; ++i) lines += worker_line(i, 0, 100);
  for (int i = of - killed; i < of; ++i) lines += worker_line(i, 0, 3, "killed", "was <killed> & gone");
  lines += together_line(0, of, 500) + check_line("contexts", "skip");
  lines += launch_line("single", 1, R"(["GPU-0"])");
  return judge({node_of(lines)}, {{"launch-single.log", {"No GPUs detected <b>\n"}}}, message_table({}), {});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("JUnit fails exactly if the verdict does") {
  const auto fails = junit_xml(some(2, 4));
  CHECK(has(fails, R"(<testcase classname="rv stress.n07" name="worker 3" time="60.000">)"));
  CHECK(has(fails, R"(<failure message="was &lt;killed&gt; &amp; gone"/>)"));
  CHECK(has(fails, R"(tests="6" failures="2" errors="0" skipped="1")"));
  const auto passes = junit_xml(some(1, 10));
  CHECK_FALSE(has(passes, "<failure"));
  CHECK(has(passes, R"(<skipped message="was &lt;killed&gt; &amp; gone"/>)"));
  CHECK(has(passes, R"(<testcase classname="rv stress.together" name="verdict" time="0.000"/>)"));
}

TEST_CASE("a request that was rejected before the start is an error in JUnit") {
  const auto xml = junit_of_refusal("2 workers need <much>");
  CHECK(has(xml, R"(tests="1" failures="0" errors="1")"));
  CHECK(has(xml, R"(<error message="2 workers need &lt;much&gt;"/>)"));
}

TEST_CASE("characters that XML can't contain are left out") {
  CHECK(escape_xml("a\x01\x1b\"b\"\n") == "a&quot;b&quot;&#10;");
}

TEST_CASE("JSON has unknown as null") {
  const auto json = to_json(some(1, 10), "r1");
  CHECK(json["stress"] == "r1");
  CHECK(json["verdict"] == "pass");
  CHECK(json["success"]["passed"] == 9);
  CHECK(json["nodes"][0]["scaling"].is_null());
  CHECK(json["nodes"][0]["workers"][0]["rss_peak_bytes"].is_null());
  CHECK(json["nodes"][0]["launches"][0]["messages"][0]["class"] == "warning");
  CHECK(json["nodes"][0]["balance"]["workers"]["most_to_least"].get<double>() == doctest::Approx(100.0 / 3));
}

TEST_CASE("the page has the findings, and nothing of a log as markup") {
  const auto html = page(some(2, 4), "r1", {});
  CHECK(has(html, "was &lt;killed&gt; &amp; gone"));
  CHECK(has(html, "No GPUs detected &lt;b&gt;"));
  CHECK_FALSE(has(html, "detected <b>"));
  CHECK(has(html, "1 check not available"));
  CHECK_FALSE(has(html, "src=\"http"));
}

TEST_CASE("nodes that passed are folded, findings with one advice are one cause, start and duration are shown") {
  std::vector<NodeEvidence> nodes;
  for (int n = 0; n < 9; ++n) {
    auto lines = environment_line(20, 9);
    for (int i = 0; i < 20; ++i) {
      const bool killed = n == 3 && i > 17;
      lines += killed ? worker_line(i, 0, 3, "killed", "was killed") : worker_line(i, 0, 100);
    }
    auto node = node_of(lines + together_line(0, 20, 2000) + result_line);
    node.node = fmt::format("n{:02}", n);
    node.began = 1'795'380'896 + n;
    node.seconds = 61.4 + n;
    nodes.push_back(std::move(node));
  }
  const auto html = page(judge(nodes, {}, message_table({}), {.min_success = 100}), "r1", {});
  CHECK(has(html, "<h2>Workers, n03</h2>"));
  CHECK_FALSE(has(html, "<h2>Workers, n04</h2>"));
  CHECK(has(html, "<h2>8 nodes that passed</h2>"));
  CHECK(has(html, "<summary>18 workers that passed</summary>"));
  CHECK(has(html, "<summary>and 1 more</summary>"));
  CHECK(has(html, "<dt>when</dt><dd>2026-11-22 "));
  CHECK(has(html, "<dt>duration</dt><dd>1m 9s</dd>"));
}

}  // namespace
}  // namespace rv::stress
