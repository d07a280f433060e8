#include "reports/accept/outliers.h"

#include <doctest/doctest.h>

namespace rv::accept {
namespace {

using Indices = std::vector<std::size_t>;

TEST_CASE("of four or more the one far below the median is an outlier; small differences are not") {
  CHECK(worse_than_the_others({690, 695, 350, 700}, false, false) == Indices{2});
  CHECK(worse_than_the_others({690, 690, 690, 689}, false, false).empty());
  CHECK(worse_than_the_others({600, 650, 700, 750}, false, false).empty());  // as wide as they are
  CHECK(worse_than_the_others({10, 10, 10, 30}, true, false) == Indices{3});
  CHECK(worse_than_the_others({690, 695, 2000, 700}, false, false).empty());  // better is not a fault
}

TEST_CASE("a value that its own repeats scatter around does not stand out") {
  CHECK(worse_than_the_others({727, 687.7, 726, 728}, false, false) == Indices{1});
  CHECK(worse_than_the_others({727, 687.7, 726, 728}, false, false, {20, 38.8, 2, 3}).empty());
  CHECK(worse_than_the_others({727, 500, 726, 728}, false, false, {20, 38.8, 2, 3}) == Indices{1});
  CHECK(worse_than_the_others({700, 600}, false, false, {0, 60}).empty());
}

TEST_CASE("of two the slower is measured by the faster") {
  CHECK(worse_than_the_others({700, 600}, false, false) == Indices{1});
  CHECK(worse_than_the_others({700, 650}, false, false).empty());
  CHECK(worse_than_the_others({700}, false, false).empty());
}

TEST_CASE("times of microseconds vary more") {
  CHECK(worse_than_the_others({6, 6.1, 6.2, 8}, true, true).empty());
  CHECK(worse_than_the_others({6, 6.1, 6.2, 12}, true, true) == Indices{3});
}

}  // namespace
}  // namespace rv::accept
