#include "workers/memory/available_memory.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::workers;

TEST_CASE("the host's memory can be read") {
  const auto memory = available_host_memory();
  REQUIRE(memory);
  CHECK(memory->free > 0);
  CHECK(memory->total >= memory->free);
}

TEST_CASE("the most that fit need no more than is free, and one more would") {
  const auto needed = [](int count) { return std::size_t{100} + static_cast<std::size_t>(count) * 10; };
  CHECK(most_that_fit(1000, 100 + 370, needed) == 37);
  CHECK(most_that_fit(1000, 100 + 379, needed) == 37);
  CHECK(most_that_fit(1000, 110, needed) == 1);
  CHECK(most_that_fit(1000, 109, needed) == 0);
  CHECK(most_that_fit(1, 100, needed) == 0);
}
