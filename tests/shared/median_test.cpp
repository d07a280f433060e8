#include "shared/median.h"

#include <doctest/doctest.h>

using namespace rv;

TEST_CASE("median and its deviation") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median_absolute_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);
}
