#include "base/natural_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using rv::NaturalOrder;

TEST_CASE("numbers in names are counted") {
  std::vector<std::string> names{"10.out", "2.out", "0.out", "1.out", "n10.1", "n2.10", "n2.9", "n", ""};
  std::sort(names.begin(), names.end(), NaturalOrder());
  CHECK(names == std::vector<std::string>{"", "0.out", "1.out", "2.out", "10.out", "n", "n2.9", "n2.10", "n10.1"});
}

TEST_CASE("the natural order is total: equal keys are ordered by their bytes") {
  const NaturalOrder less;
  CHECK(less("01", "1"));
  CHECK_FALSE(less("1", "01"));
  CHECK_FALSE(less("a1", "a1"));
  CHECK(less("a99999999999999999999998", "a99999999999999999999999"));
}
