#include "base/text.h"

#include <doctest/doctest.h>

using namespace rv;

TEST_CASE("names compare without case, blanks, dashes and the maker") {
  for (const char* name : {"RTX 3090", "rtx-3090", "rtx_3090", "NVIDIA GeForce RTX 3090", "nvidia_geforce_rtx_3090"}) {
    CHECK(comparable(name) == "rtx3090");
  }
  CHECK(comparable("Tesla V100") == "v100");
  CHECK(comparable("1g.10gb") == "1g.10gb");
  CHECK(comparable("tesla") == "tesla");
}

TEST_CASE("the last lines are those with something in them, without their ends") {
  using Lines = std::vector<std::string_view>;
  CHECK(last_lines("one\ntwo\r\n \t\n three\n\n", 2) == Lines{"two", " three"});
  CHECK(last_lines("one", 2) == Lines{"one"});
  CHECK(last_lines("one\ntwo", 0).empty());
  CHECK(last_lines("\n\r\n", 1).empty());
}

TEST_CASE("counts have their plural") {
  CHECK(counted(1, "node") == "1 node");
  CHECK(counted(0, "node") == "0 nodes");
  CHECK(counted(2, "GPU") == "2 GPUs");
  CHECK(listed({"a", "b"}) == "a, b");
  CHECK(joined({"a", "b"}) == "a,b");
  CHECK(joined({}).empty());
}
