#include "reports/stress/page.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/stress/judgement.h"
#include "reports/stress/junit.h"
#include "tests/stress/stress_builder.h"

namespace rv::stress {
namespace {

/// Every text of a report, replaced by one that would be markup in a page.
std::string hostile(std::string lines, const std::string& markup) {
  for (const char* text :
       {"n07", "580.1", "H200", "GPU-0", "./launch", "it hangs", "processes", "no detail", "launch-all.log"}) {
    for (auto at = lines.find(text); at != std::string::npos; at = lines.find(text, at + markup.size())) {
      lines.replace(at, std::string_view(text).size(), markup);
    }
  }
  return lines;
}

TEST_CASE("no text of a report or of a launcher's log is markup in the page") {
  const std::string markup = "</td></script><script>alert(1)</script><img src=x onerror=alert(1)> ' & ";
  const auto lines = hostile(environment_line(2, 1, true) + worker_line(0, 0, 100) +
                                 worker_line(1, 0, 5, "failed", "it hangs") + together_line(0, 2, 105) +
                                 check_line("processes", "fail", "it hangs") + launch_line("all", 1, "[\"GPU-0\"]", 1),
                             markup);
  const auto node = evidence_of(lines + result_line);
  REQUIRE(node);
  CHECK(node->node == markup);
  const std::map<std::string, LauncherLog> logs{{markup, {.text = "CUDA error " + markup, .path = "/" + markup}}};
  const auto judgement = judge({*node}, logs, message_table({}), {});
  const auto html =
      page(judgement, markup,
           {.host = markup, .driver = markup, .versions = markup, .duration = markup, .who = markup, .when = markup});
  CHECK(html.find("&lt;script&gt;alert(1)") != std::string::npos);
  CHECK(html.find("<script>alert") == std::string::npos);
  CHECK(html.find("<img src=x") == std::string::npos);
  CHECK(junit_xml(judgement).find("<script>") == std::string::npos);
}

}  // namespace
}  // namespace rv::stress
