#include "monitor/follow/element_jobs.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;
using namespace rv::monitor;

TEST_CASE("squeue's lines of an array's running elements, by index") {
  const auto running = parse_running_elements("10 214 n2\n2 206 n1\n3 207 n[1-2]\n");
  REQUIRE(running.size() == 3);
  CHECK(running[0].index == 2);
  CHECK(running[0].job == "206");
  CHECK(running[1].nodes == std::vector<std::string>{"n1", "n2"});
  CHECK(running[2].index == 10);
  CHECK(parse_running_elements("").empty());
}

TEST_CASE("the requested element, or the first running one, is selected") {
  const auto running = parse_running_elements("4 208 n1\n7 211 n2\n");
  CHECK(choose_element(running, std::nullopt, "k3f9x2").job == "208");
  CHECK(choose_element(running, 7, "k3f9x2").job == "211");
  CHECK_THROWS_WITH_AS(choose_element(running, 5, "k3f9x2"), "element 5 of run k3f9x2 is not running now", Error);
  CHECK_THROWS_WITH_AS(choose_element({}, std::nullopt, "k3f9x2"), "no element of run k3f9x2 is running now", Error);
}
