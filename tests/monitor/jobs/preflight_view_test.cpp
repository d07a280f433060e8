#include "monitor/jobs/preflight_view.h"

#include <doctest/doctest.h>

#include "tests/monitor/jobs/run_facts.h"

using namespace rv::monitor;
using namespace rv::monitor::test;

TEST_CASE("the last preflight counts, in words") {
  auto facts = race_of(1);
  CHECK_FALSE(last_preflight(facts.events));
  add(facts, EventKind::preflight, 1, 10,
      {{"verdict", "fail"}, {"ms", 4249}, {"failed", "n1,n2"}, {"why", "n1 gpu 0: ecc"}});
  const auto failed = last_preflight(facts.events);
  REQUIRE(failed);
  CHECK(failed->failed == std::vector<std::string>{"n1", "n2"});
  CHECK(in_words(*failed) == "failed after 4.2 s on n1, n2: n1 gpu 0: ecc");
  add(facts, EventKind::preflight, 1, 11, {{"verdict", "pass"}, {"ms", 6951}, {"failed", ""}, {"why", ""}});
  CHECK(in_words(*last_preflight(facts.events)) == "passed in 7.0 s");
  CHECK(assess(facts, {}, at(100)).preflight->job == JobId{11});
}

TEST_CASE("a verdict of a later rv, or none, is unknown") {
  auto facts = race_of(1);
  add(facts, EventKind::preflight, 1, 10, {{"verdict", "perhaps"}, {"ms", 20000}, {"why", "no driver"}});
  CHECK(last_preflight(facts.events)->verdict == PreflightVerdict::unknown);
  CHECK(in_words(*last_preflight(facts.events)) == "incomplete after 20.0 s: no driver");
}
