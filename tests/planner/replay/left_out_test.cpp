#include "planner/replay/model/left_out.h"

#include <doctest/doctest.h>

using namespace rv::planner;

TEST_CASE("what is left out is counted by noun, in the order of the first of each") {
  LeftOut left_out;
  CHECK(left_out.texts().empty());
  left_out.add("job* waiting for licenses");
  left_out.add("heterogeneous job*", 2);
  left_out.add("heterogeneous job*");
  CHECK(left_out.texts() == std::vector<std::string>{"1 job waiting for licenses", "3 heterogeneous jobs"});
}
