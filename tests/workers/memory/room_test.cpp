#include "workers/memory/room.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::workers;

TEST_CASE("the host's memory can be read") {
  const auto room = host_room();
  REQUIRE(room);
  CHECK(room->free > 0);
  CHECK(room->total >= room->free);
}

TEST_CASE("the most that fit need no more than is free, and one more would") {
  const auto needed = [](int count) { return std::size_t{100} + static_cast<std::size_t>(count) * 10; };
  CHECK(most_that_fit(1000, 100 + 370, needed) == 37);
  CHECK(most_that_fit(1000, 100 + 379, needed) == 37);
  CHECK(most_that_fit(1000, 110, needed) == 1);
  CHECK(most_that_fit(1000, 109, needed) == 0);
  CHECK(most_that_fit(1, 100, needed) == 0);
}
