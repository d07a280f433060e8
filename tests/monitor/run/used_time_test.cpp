#include "monitor/run/used_time.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

Entry entry(const char* line) {
  return parse_entry(std::string(line) + "\n").value();
}

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

void check(const std::vector<UsedSpan>& spans, const std::vector<std::pair<int, std::optional<int>>>& expected) {
  REQUIRE(spans.size() == expected.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    CHECK(spans[i].began == at(expected[i].first));
    CHECK(spans[i].ended == (expected[i].second ? std::optional(at(*expected[i].second)) : std::nullopt));
  }
}

}  // namespace

TEST_CASE("a span lasts from the claim to the end of the command") {
  const auto claim = entry("claim 1 2 10 0 - - n1 100 a n1");
  const auto start = entry("start 1 2 10 0 0 - n1 110 a n1");
  const auto exit = entry("exit 1 2 10 0 exited 0 n1 200 a n1");
  check(used_spans({}, {}), {});
  check(used_spans({claim}, {}), {{100, std::nullopt}});
  check(used_spans({claim, start}, {}), {{100, std::nullopt}});
  check(used_spans({claim, start, exit}, {}), {{100, 200}});
  CHECK(used_spans({claim}, {}).front().candidate == 2);
  // The set-up lines failed.
  check(used_spans({claim, entry("exit 1 2 10 0 setup 1 n1 105 a n1")}, {}), {{100, 105}});
  // Clocks of two machines.
  check(used_spans({claim, start, entry("exit 1 2 10 0 exited 0 n1 90 a n1")}, {}), {{100, 100}});
}

TEST_CASE("the time in the queue between two starts does not count") {
  const std::vector<Entry> before{entry("claim 1 1 10 0 - - n1 100 a n1"), entry("start 1 1 10 0 0 - n1 101 a n1")};
  const auto requeued = entry("exit 1 1 10 0 terminated 143 n1 150 a n1");
  const auto again = entry("start 1 1 10 1 0 - n2 900 b n2");
  const auto exit = entry("exit 1 1 10 1 exited 0 n2 950 b n2");
  check(used_spans({before[0], before[1], requeued, again, exit}, {}), {{100, 150}, {900, 950}});
  // The node was lost at an unknown time.
  check(used_spans({before[0], before[1], again, exit}, {}), {{100, 100}, {900, 950}});
  const auto retry = entry(R"(retry 2 0 0 0 - - login 400 c - {"end":{"state":"failed","detail":"","ended":300}})");
  const auto second = entry("claim 2 1 11 0 - - n2 900 d n2");
  check(used_spans({before[0], before[1], retry, second}, {}), {{100, 300}, {900, std::nullopt}});
  check(used_spans({before[0], before[1], requeued, retry, second}, {}), {{100, 150}, {900, std::nullopt}});
}

TEST_CASE("each element of an array has its own spans") {
  const auto claim = entry("claim 1 1 77 0 - - n1 100 a n1");
  const ElementLedgers elements{
      {0,
       {entry("start 1 1 77 0 0 - n1 100 t n1"), entry("exit 1 1 77 0 exited 3 n1 130 t n1"),
        entry("start 2 1 78 0 0 - n1 500 u n1"), entry("exit 2 1 78 0 exited 0 n1 520 u n1")}},
      {1, {entry("start 1 1 77 0 0 - n1 105 v n1")}}};
  check(used_spans({claim}, elements), {{100, 130}, {500, 520}, {105, std::nullopt}});
}
