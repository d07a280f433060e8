#include "base/boot_clock.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace std::chrono_literals;

TEST_CASE("time continues, on this boot") {
  const auto moment = boot_moment();
  CHECK(!moment.boot.empty());
  const auto waited = elapsed(moment, boot_moment());
  REQUIRE(waited);
  CHECK(*waited >= 0s);
  CHECK(*waited < 60s);
}

TEST_CASE("times of two boots, or two machines, can't be compared") {
  CHECK(elapsed({"a", 5}, {"a", 75}) == 70s);
  CHECK(!elapsed({"a", 5}, {"b", 75}));
}
