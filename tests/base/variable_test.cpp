#include "base/variable.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace rv;

TEST_CASE("a variable that is not set is empty, and those that are set are listed") {
  ::unsetenv("RV_VARIABLE_TEST");
  CHECK(variable("RV_VARIABLE_TEST").empty());
  const auto listed = [] {
    const auto all = all_variables();
    return std::find(all.begin(), all.end(), "RV_VARIABLE_TEST=a=b") != all.end();
  };
  CHECK(!listed());
  ::setenv("RV_VARIABLE_TEST", "a=b", 1);
  CHECK(variable("RV_VARIABLE_TEST") == "a=b");
  CHECK(listed());
  ::unsetenv("RV_VARIABLE_TEST");
}
