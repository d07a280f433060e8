#include "cli/launch/after_option.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;
using namespace rv::cli;

TEST_CASE("a run and how it has to end") {
  CHECK(parse_after("train").run == "train");
  CHECK(parse_after("train").only_ok);
  CHECK(parse_after("k3f9x2:ok").run == "k3f9x2");
  CHECK(parse_after("k3f9x2:ok").only_ok);
  CHECK(!parse_after("k3f9x2:any").only_ok);
}

TEST_CASE("an unknown run or condition is rejected") {
  for (const auto* text : {"", ":ok", "train:never", "train:"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_after(text), rv::Error);
  }
}
