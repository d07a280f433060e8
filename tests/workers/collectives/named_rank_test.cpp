#include "workers/collectives/named_rank.h"

#include <doctest/doctest.h>

namespace rv::workers {

TEST_CASE("the rank that a reason is about is the one that is named most often, without a tie") {
  CHECK_FALSE(named_most({}).has_value());
  CHECK(named_most({3}) == 3);
  // Two slow pairs, 0 -> 2 and 1 -> 2.
  CHECK(named_most({0, 2, 1, 2}) == 2);
  CHECK_FALSE(named_most({0, 1}).has_value());
  CHECK_FALSE(named_most({5, 5, 1, 1, 3}).has_value());
  CHECK(named_most({7, 0, 7, 0, 7}) == 7);
}

}  // namespace rv::workers
